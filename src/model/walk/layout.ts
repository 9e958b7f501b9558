/**
 * The positions of the one-dimensional walk's parts. Units are pixels of a picture 712 wide, or of a
 * compact one in a narrow panel, where the root register is above the root table.
 *
 * ```text
 *  0    80        212       344       476        618    712
 *  root │▏<rows>  │▏<rows>  │▏<rows>  │▏<rows>   [page]
 *        strip of the whole table, wedge, five of its entries
 * ```
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
 * early, and the page follows its leaf entry. `rank` is the page size's, from 0; `room` is the panel's width.
 */
export function walkLayout(
  tables: number,
  levels: number,
  rank: number,
  room: CssPixels = WALK_WIDTH,
): WalkLayout {
  const stripHeight = HEIGHT.strip;
  const compact = room < FULL_FROM;
  const { first, gap, page, pageGap, most, least } = compact ? COMPACT : FULL;
  const columnsAtMost = Math.max(tables, levels, 1);
  const rest = first + page + pageGap - gap;
  const width = compact
    ? Math.max(room, rest + columnsAtMost * least)
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
