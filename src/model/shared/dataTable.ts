/** A table that can be sorted by any column and saved as CSV. */
import { csv } from "./csv";

export interface Column<R> {
  readonly id: string;
  readonly head: string;
  /** The meaning of the header, if a word is not enough. */
  readonly help?: string;
  /** The higher, the sooner a narrow table leaves the column out; without a rank it always stays. */
  readonly rank?: number;
  /** Numbers are right-aligned, and sort with the largest first. */
  readonly isNumber?: boolean;
  /** The text shown. */
  readonly text: (row: R) => string;
  /** A paler text after it: a difference, a mark. */
  readonly more?: (row: R) => string;
  /** The full value, for sorting and CSV; `undefined` if it is unknown. */
  readonly value: (row: R) => number | string | undefined;
}

export interface Order {
  readonly column: string;
  readonly direction: "ascending" | "descending";
}

/** Sorts rows; unknown values come last in both directions, equal rows keep their order. */
export function inOrder<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  order: Order | undefined,
): readonly R[] {
  const column = columns.find(({ id }) => id === order?.column);
  if (!column || !order) return rows;
  const sign = order.direction === "ascending" ? 1 : -1;
  const keyed = rows.map((row) => ({ row, value: column.value(row) }));
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined)
      return Number(a.value === undefined) - Number(b.value === undefined);
    return sign * compare(a.value, b.value);
  });
  return keyed.map(({ row }) => row);
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** The order after a click on a header: the column's natural one, then the reverse. */
export function nextOrder<R>(
  { id, isNumber = false }: Column<R>,
  order: Order | undefined,
): Order {
  const natural = isNumber ? "descending" : "ascending";
  if (order?.column !== id) return { column: id, direction: natural };
  const other = isNumber ? "ascending" : "descending";
  const direction = order.direction === natural ? other : natural;
  return { column: id, direction };
}

/** The order as text in a link: `walks,descending`. */
export function orderText({ column, direction }: Order): string {
  return `${column},${direction}`;
}

/** Reads the text of `orderText`; `undefined` if there is no such column. */
export function readOrder(
  text: string | undefined,
  columns: readonly { readonly id: string }[],
): Order | undefined {
  const [, id, direction] = /^(.*),(\w+)$/.exec(text ?? "") ?? [];
  const column = columns.find((each) => each.id === id);
  if (!column || (direction !== "ascending" && direction !== "descending"))
    return undefined;
  return { column: column.id, direction };
}

/** The columns that a narrow table leaves out, as a sentence; empty if there are none. */
export function leftOutText(heads: readonly string[]): string {
  return heads.length > 0 ? `Left out at this width: ${heads.join(", ")}.` : "";
}

export function dataTableCsv<R>(
  columns: readonly Column<R>[],
  rows: readonly R[],
): string {
  return csv([
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ]);
}
