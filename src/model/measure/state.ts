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
  readonly result?: {
    readonly samples: ChaseSamples;
    readonly report: ChaseReport;
  };
}
