/**
 * Where the parts of the 1-D walk stand. Units are pixels of a picture 712 wide.
 *
 * ```text
 *  0    80        212       344       476        618    712
 *  CR3  │▏<rows>  │▏<rows>  │▏<rows>  │▏<rows>   [page]
 *        strip of the whole table, wedge, five of its entries
 * ```
 */
import type { CssPixels } from "./units";

export const WALK_WIDTH: CssPixels = 712;
export const WALK_HEIGHT: CssPixels = 340;
/** The strip of a whole table. */
export const STRIP = { top: 90, height: 190, width: 9 } as const;
/** Between the strip's left edge and the five entries; less where five tables stand side by side. */
const ROWS_AT = { wide: 25, narrow: 20 } as const;
const FIRST: CssPixels = 80;
/** Between the tables' columns. */
const GAP: CssPixels = 14;
const PAGE: CssPixels = 94;
const PAGE_GAP: CssPixels = 24;
/** The line on which all entries in question stand. */
export const LIT = { top: 165, height: 40, middle: 185 } as const;
const ROW: CssPixels = 22;

export interface WalkLayout {
  /** Left edges of the tables' columns, the root first. */
  readonly columns: readonly CssPixels[];
  readonly columnWidth: CssPixels;
  /** From a column's left edge to its five entries. */
  readonly rowsAt: CssPixels;
  readonly rowsWidth: CssPixels;
  readonly pageX: CssPixels;
  readonly pageWidth: CssPixels;
}

/**
 * `tables` were met on the way, of `levels` that the machine has: columns keep their places
 * when a walk ends early, and the page follows its leaf. `rank` is the page size's, from 0.
 */
export function walkLayout(
  tables: number,
  levels: number,
  rank: number,
): WalkLayout {
  const most = Math.max(tables, levels, 1);
  const room = WALK_WIDTH - PAGE - PAGE_GAP + GAP - FIRST;
  const pitch = Math.min(room / most, 176);
  const columnWidth = pitch - GAP;
  const rowsAt = most > 4 ? ROWS_AT.narrow : ROWS_AT.wide;
  const columns = Array.from({ length: tables }, (_, at) => FIRST + at * pitch);
  const pageX = FIRST + tables * pitch - GAP + PAGE_GAP;
  return {
    columns,
    columnWidth,
    rowsAt,
    rowsWidth: columnWidth - rowsAt,
    pageX,
    pageWidth: Math.min(PAGE + rank * 24, WALK_WIDTH - pageX),
  };
}

/** The top of a row that lies `at` entries from the one in question. */
export function rowTop(at: number): CssPixels {
  return at < 0 ? LIT.top + at * ROW : LIT.top + LIT.height + (at - 1) * ROW;
}

export const ROW_HEIGHT = ROW;

/** The middle of an entry in the strip of its table. */
export function tickY(index: number, entries: number): CssPixels {
  return STRIP.top + (STRIP.height * (index + 0.5)) / entries;
}
