/** A sweep as the store holds it. */
import type { TraceView } from "../../engine/generated/TraceView";
import type { SweepRow } from "../../model/whatif/sweep";

/** A row that has ended, and its line as `pagewalk sweep` writes it. */
export interface EndedRow {
  readonly line: string;
  readonly row: SweepRow;
}

export interface SweepState {
  readonly trace: TraceView;
  readonly spec: string;
  readonly status: "running" | "done" | "cancelled" | "failed";
  /** 0 until it is known. */
  readonly total: number;
  /** Rows that have ended, and parts of those that run. */
  readonly done: number;
  /** By number. */
  readonly rows: ReadonlyMap<number, EndedRow>;
  /** What went wrong with all of it, or with rows that have no line. */
  readonly problem: string | undefined;
}
