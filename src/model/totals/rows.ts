/** Tables of counts, and a row of one number. */
import { count } from "../shared/format";

export interface TotalsRow {
  readonly label: string;
  /** One for each column. */
  readonly cells: readonly string[];
  /** What is counted, in plain words. */
  readonly help?: string;
  /** Computed from stated latencies, not counted. */
  readonly model?: boolean;
}

export interface TotalsTable {
  readonly title: string;
  /** Heads of the cells; empty over one number. */
  readonly columns: readonly string[];
  readonly rows: readonly TotalsRow[];
}

/** A row of one number. */
export function one(label: string, n: number, help?: string): TotalsRow {
  return { label, cells: [count(n)], ...(help !== undefined && { help }) };
}
