/**
 * The positions of the nested walk's grid, in CSS pixels of a picture as wide as its
 * panel: text keeps its size, cells take what is left.
 *
 * ```text
 *  gL4  table, entry 254  →  ▢ ▢ ▢ ▢  → ◯    1 of 5    14
 *       gPA 0x1a3c000
 * ```
 */
import type { CssPixels } from "../../shared/units";

/** `full`: names and addresses next to the rows; `compact`: names above addresses; `phone`: only names. */
export type NestedSize = "full" | "compact" | "phone";

export interface NestedLayout {
  readonly size: NestedSize;
  readonly width: CssPixels;
  readonly height: CssPixels;
  /** The left edges of the host's columns. */
  readonly columns: readonly CssPixels[];
  /** The left edge of the guest's entries. */
  readonly guest: CssPixels;
  readonly cellWidth: CssPixels;
  readonly cellHeight: CssPixels;
  readonly gap: CssPixels;
  /** The top of the first row; rows follow at `pitch`. */
  readonly top: CssPixels;
  readonly pitch: CssPixels;
  /** The top of the backgrounds. */
  readonly ground: CssPixels;
  /** The line above the column sums. */
  readonly foot: CssPixels;
  /** The right ends of the row sums; a phone has no count of references. */
  readonly readEnd: CssPixels | null;
  readonly cyclesEnd: CssPixels;
}

interface Measures {
  /** The width of the row names. */
  readonly label: CssPixels;
  readonly gap: CssPixels;
  /** The gap between the host's columns and the guest's, with the background edges and the arrow. */
  readonly between: CssPixels;
  /** The width of the row sums, with the background edge before them. */
  readonly sums: CssPixels;
  readonly read: CssPixels | null;
  readonly top: CssPixels;
  readonly rows: CssPixels;
  readonly pitch: CssPixels;
  readonly rowGap: CssPixels;
  readonly foot: CssPixels;
  readonly leastCell: CssPixels;
}

const MEASURES: Readonly<Record<NestedSize, Measures>> = {
  full: {
    label: 176,
    gap: 10,
    between: 28,
    sums: 150,
    read: 90,
    top: 52,
    rows: 340,
    pitch: 68,
    rowGap: 8,
    foot: 48,
    leastCell: 88,
  },
  compact: {
    label: 90,
    gap: 6,
    between: 20,
    sums: 116,
    read: 66,
    top: 50,
    rows: 290,
    pitch: 58,
    rowGap: 6,
    foot: 46,
    leastCell: 52,
  },
  phone: {
    label: 42,
    gap: 4,
    between: 14,
    sums: 44,
    read: null,
    top: 42,
    rows: 250,
    pitch: 50,
    rowGap: 4,
    foot: 40,
    leastCell: 34,
  },
};

/** Below these widths the next smaller size is used. */
const FULL_FROM: CssPixels = 860;
const COMPACT_FROM: CssPixels = 520;
/** Wider cells show nothing more. */
const WIDEST: CssPixels = 1160;

export function nestedSize(room: CssPixels): NestedSize {
  if (room >= FULL_FROM) return "full";
  return room >= COMPACT_FROM ? "compact" : "phone";
}

/** Whether the screen is low; a very low one shows larger text. */
export type Low = boolean | "very";

/** The row height on a low screen. */
const LOW = { pitch: 46, rows: 230, gap: 6 } as const;
const VERY_LOW = { pitch: 36, rows: 180, gap: 4 } as const;

/**
 * `hosts` levels of host tables and `rows` rows, absent ones included; `room` is the panel's width; `low`
 * makes the rows less high.
 */
export function nestedLayout(
  hosts: number,
  rows: number,
  room: CssPixels,
  low: Low = false,
): NestedLayout {
  const size = nestedSize(room);
  const usual = MEASURES[size];
  const lower = low === "very" ? VERY_LOW : LOW;
  const of =
    low === false
      ? usual
      : {
          ...usual,
          pitch: Math.min(lower.pitch, usual.pitch),
          rows: Math.min(lower.rows, usual.rows),
          rowGap: Math.min(lower.gap, usual.rowGap),
        };
  const fixed = of.label + of.between + of.sums + of.gap * (hosts - 1);
  const least = fixed + of.leastCell * (hosts + 1);
  const width = Math.max(Math.min(room, WIDEST), least);
  const cellWidth = (width - fixed) / (hosts + 1);
  // More rows than usual share the usual height, as long as their text fits.
  const pitch = Math.min(of.pitch, Math.max(of.rows / rows, of.pitch * 0.8));
  const guest = of.label + hosts * (cellWidth + of.gap) - of.gap + of.between;
  const foot = of.top + rows * pitch;
  return {
    size,
    width,
    height: foot + of.foot,
    columns: Array.from(
      { length: hosts },
      (_, at) => of.label + at * (cellWidth + of.gap),
    ),
    guest,
    cellWidth,
    cellHeight: pitch - of.rowGap,
    gap: of.gap,
    top: of.top,
    pitch,
    ground: size === "phone" ? 2 : 8,
    foot,
    readEnd: of.read === null ? null : width - of.read,
    cyclesEnd: width - 2,
  };
}

/** The left edge of a cell; the guest's entries follow the last host column. */
export function cellX(
  { columns, guest }: NestedLayout,
  column: number,
): CssPixels {
  return columns[column] ?? guest;
}

export function rowY({ top, pitch }: NestedLayout, row: number): CssPixels {
  return top + row * pitch;
}

/** The middle of a range of cells, both ends inclusive. */
export function middleOf(
  layout: NestedLayout,
  from: { readonly row: number; readonly column: number },
  to: { readonly row: number; readonly column: number },
): { readonly x: CssPixels; readonly y: CssPixels; readonly width: CssPixels } {
  const left = cellX(layout, Math.min(from.column, to.column));
  const right =
    cellX(layout, Math.max(from.column, to.column)) + layout.cellWidth;
  return {
    x: (left + right) / 2,
    y: (rowY(layout, from.row) + rowY(layout, to.row) + layout.cellHeight) / 2,
    width: right - left,
  };
}
