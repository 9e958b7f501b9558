/** A table whose rows can be put in order by any of its columns, and taken along as CSV. */
import { csv } from "./csv";

export interface Column<R> {
  readonly id: string;
  readonly head: string;
  /** What the head means, where a word is not enough. */
  readonly help?: string;
  /** Left out the sooner the higher it is, where the table is too narrow; without one it always stays. */
  readonly rank?: number;
  /** Numbers stand at the right, and come with the largest first. */
  readonly isNumber?: boolean;
  /** As it is shown. */
  readonly text: (row: R) => string;
  /** Follows the text, paler: a difference, a mark. */
  readonly more?: (row: R) => string;
  /** In full: what rows are ordered by, and what CSV has; `undefined` where it is not known. */
  readonly value: (row: R) => number | string | undefined;
}

export interface Order {
  readonly column: string;
  readonly direction: "ascending" | "descending";
}

/** Rows in an order; those whose value is not known come last either way, equal ones stay as they were. */
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

/** The order after a click on a column's head: its natural one, then the other way round. */
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

/** `walks,descending`, for a link. */
export function orderText({ column, direction }: Order): string {
  return `${column},${direction}`;
}

/** Reads what `orderText` wrote; `undefined` where there is no such column. */
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

/** What a table leaves out where it is narrow, as a sentence; empty if it has all. */
export function leftOutText(heads: readonly string[]): string {
  return heads.length > 0 ? `Left out at this width: ${heads.join(", ")}.` : "";
}

/** Columns of what is said of all rows, by their heads. */
export function factColumns(
  facts: Readonly<Record<string, string>>,
): readonly Column<unknown>[] {
  return Object.entries(facts).map(([head, fact]) => ({
    id: head,
    head,
    text: () => fact,
    value: () => fact,
  }));
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
