/** Tables of counts, and rows with one number. */
import { count } from "../shared/format";

export interface TotalsRow {
  readonly label: string;
  /** One cell per column. */
  readonly cells: readonly string[];
  /** What is counted, in plain words. */
  readonly help?: string;
  /** Whether the row is computed from stated latencies, not counted. */
  readonly model?: boolean;
}

export interface TotalsTable {
  readonly title: string;
  /** Headers of the cells; empty over a single number. */
  readonly columns: readonly string[];
  readonly rows: readonly TotalsRow[];
}

/** A row with one number. */
export function one(label: string, n: number, help?: string): TotalsRow {
  return { label, cells: [count(n)], ...(help !== undefined && { help }) };
}

/** A table with one number per row. */
export function oneColumn(
  title: string,
  rows: readonly TotalsRow[],
): TotalsTable {
  return { title, columns: [""], rows };
}
