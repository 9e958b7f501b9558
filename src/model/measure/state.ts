/** The measurement of this computer, as the screen Measure shows it. */
import type { ChaseReport } from "../../engine/generated/ChaseReport";
import type { ChaseSamples } from "../../engine/generated/ChaseSamples";

/** The progress of the measurement. */
export interface MeasureProgress {
  /** Seconds. */
  readonly done: number;
  readonly total: number;
  readonly rounds: number;
}

/** The progress of the comparison, in parts. */
interface CompareProgress {
  readonly done: number;
  readonly total?: number;
}

/** A finished measurement stays while the next one runs. */
export interface MeasureState {
  readonly status:
    | { readonly is: "measuring"; readonly progress?: MeasureProgress }
    | { readonly is: "comparing"; readonly progress?: CompareProgress }
    | { readonly is: "done" }
    | { readonly is: "cancelled" }
    | { readonly is: "failed"; readonly why: string };
  readonly result?: MeasureResult;
  /** The last measurement of every page: a larger stride is compared with it. */
  readonly everyPage?: MeasureResult;
}

export interface MeasureResult {
  readonly samples: ChaseSamples;
  readonly report: ChaseReport;
}

/** What one measurement does. */
export interface MeasureJob {
  readonly seconds: number;
  /** Every `stride`-th page is used. */
  readonly stride: number;
}

/** The powers of two that are offered: a set is seldom chosen by more than 7 of the lowest bits. */
export const STRIDES = [1, 2, 4, 8, 16, 32, 64, 128];
