/** A sweep in the store. */
import type { TraceView } from "../../engine/generated/TraceView";
import type { SweepRow } from "./sweep";

/** A finished row, and its line as `pagewalk sweep` writes it. */
export interface EndedRow {
  readonly line: string;
  readonly row: SweepRow;
}

export interface SweepState {
  readonly trace: TraceView;
  readonly spec: string;
  readonly status: "running" | "done" | "cancelled" | "failed";
  /** The number of rows; 0 until it is known. */
  readonly total: number;
  /** Finished rows, plus the finished parts of running ones. */
  readonly done: number;
  /** Finished rows by number. */
  readonly rows: ReadonlyMap<number, EndedRow>;
  /** The error of the whole sweep, or of rows without a line. */
  readonly problem: string | undefined;
}

/** The finished rows, in order. */
export function endedRows(rows: SweepState["rows"]): readonly EndedRow[] {
  return [...rows].sort(([a], [b]) => a - b).map(([, ended]) => ended);
}

/** The JSON lines of the finished rows, in order. */
export function sweepLines(sweep: SweepState | undefined): string {
  return endedRows(sweep?.rows ?? new Map<number, EndedRow>())
    .map(({ line }) => `${line}\n`)
    .join("");
}

/** The fields of a sweep by their names in the file. */
export function axesOf({
  rows,
}: SweepState): Readonly<Record<string, unknown>> {
  const [ended] = rows.values();
  if (ended === undefined) return {};
  // The core has written it, so the cast is safe.
  return (JSON.parse(ended.line) as { axes: Record<string, unknown> }).axes;
}
