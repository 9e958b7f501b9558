/**
 * The positions of the one-dimensional walk's parts. Units are pixels of a picture 712 wide, or of a
 * compact one in a narrow panel, where the root register is above the root table.
 *
 * ```text
 *  0    80        212       344       476        618    712
 *  root │▏<rows>  │▏<rows>  │▏<rows>  │▏<rows>   [page]
 *        strip of the whole table, wedge, five of its entries
 * ```
 *
 * A walk of hashed tables has one column, and left of it the lines that it reads at the same time.
 */
import type { CssPixels } from "../shared/units";

export const WALK_WIDTH: CssPixels = 712;
/** In a narrower panel, the full picture's text would shrink below 11 pixels. */
const FULL_FROM: CssPixels = 640;
/** The x position and width of the strip of a whole table. */
export const STRIP = { top: 90, width: 9 } as const;
/** The line of the walk's entries. */
export const LIT_HEIGHT: CssPixels = 40;
/** The heights of the picture and of its strips; the addresses below the strips are around `foot`. */
const HEIGHT = { picture: 300, strip: 150, foot: 260 } as const;
export const ROW_HEIGHT: CssPixels = 22;

const FULL = { first: 80, gap: 14, page: 94, pageGap: 24, most: 176, least: 0 };
const COMPACT = {
  first: 24,
  gap: 10,
  page: 84,
  pageGap: 20,
  most: 130,
  least: 90,
};
/** The names of hashed tables are left of their lines. */
export const LINE_NAMES: CssPixels = 66;
/** The lines of a walk of hashed tables: their width, their distance to the next column, and the least width of that. */
const LINES = { full: 356, way: 74, gap: 26, least: 140 } as const;
/** From a column's left edge to its five entries; less in narrow columns. */
const ROWS_AT = { wide: 25, narrow: 20 } as const;

export interface WalkLayout {
  readonly compact: boolean;
  readonly width: CssPixels;
  readonly height: CssPixels;
  /** The height of the strips. */
  readonly stripHeight: CssPixels;
  /** The top of the walk's entries. */
  readonly lit: CssPixels;
  /** The line of the addresses below the strips. */
  readonly foot: CssPixels;
  /** The lines that a walk of hashed tables reads; `null` for other walks. */
  readonly lines: { readonly x: CssPixels; readonly width: CssPixels } | null;
  /** The left edges of the tables' columns, root first. */
  readonly columns: readonly CssPixels[];
  readonly columnWidth: CssPixels;
  /** From a column's left edge to its five entries. */
  readonly rowsAt: CssPixels;
  readonly rowsWidth: CssPixels;
  readonly pageX: CssPixels;
  readonly pageWidth: CssPixels;
}

/**
 * The walk has `tables` tables, of `levels` that the machine has: columns keep their positions if a walk ends
 * early, and the page follows its leaf entry. `rank` is the page size's, from 0; `room` is the panel's width. A walk of
 * hashed tables reads lines in a number of `ways`, which is 0 for other walks.
 */
export function walkLayout(
  tables: number,
  levels: number,
  rank: number,
  room: CssPixels = WALK_WIDTH,
  ways = 0,
): WalkLayout {
  const stripHeight = HEIGHT.strip;
  const compact = room < FULL_FROM;
  const { first: x, ...of } = compact ? COMPACT : FULL;
  const { gap, page, pageGap, most, least } = of;
  const ofLines = compact ? LINE_NAMES + ways * LINES.way : LINES.full;
  const lines = ways > 0 ? { x, width: ofLines } : null;
  const first = lines ? x + ofLines + LINES.gap : x;
  const columnsAtMost = Math.max(tables, lines ? 0 : levels, 1);
  const rest = first + page + pageGap - gap;
  const width = compact
    ? Math.max(room, rest + columnsAtMost * (lines ? LINES.least : least))
    : WALK_WIDTH;
  const pitch = Math.min((width - rest) / columnsAtMost, most);
  const columnWidth = pitch - gap;
  const rowsAt = compact || columnsAtMost > 4 ? ROWS_AT.narrow : ROWS_AT.wide;
  const pageX = first + tables * pitch - gap + pageGap;
  return {
    compact,
    width,
    height: HEIGHT.picture,
    stripHeight,
    lit: STRIP.top + (stripHeight - LIT_HEIGHT) / 2,
    foot: HEIGHT.foot,
    lines,
    columns: Array.from({ length: tables }, (_, at) => first + at * pitch),
    columnWidth,
    rowsAt,
    rowsWidth: columnWidth - rowsAt,
    pageX,
    pageWidth: Math.min(page + rank * 24, width - pageX),
  };
}

/** The top of a row that is `at` entries away from the walk's entry. */
export function rowTop(
  { lit }: Pick<WalkLayout, "lit">,
  at: number,
): CssPixels {
  return at < 0
    ? lit + at * ROW_HEIGHT
    : lit + LIT_HEIGHT + (at - 1) * ROW_HEIGHT;
}

/** The middle of an entry in the strip of its table. */
export function tickY(
  { stripHeight }: Pick<WalkLayout, "stripHeight">,
  index: number,
  entries: number,
): CssPixels {
  return STRIP.top + (stripHeight * (index + 0.5)) / entries;
}
