/** Times a pointer chase on this computer. */
import type { ChaseSamples } from "../../engine/generated/ChaseSamples";
import type { MeasureJob, MeasureProgress } from "../../model/measure/state";

export interface MeasureHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: MeasureProgress) => void;
}

export interface MeasureService {
  /** Rejects with the reason as an `Error`, or with an `AbortError`. */
  readonly measure: (
    job: MeasureJob,
    hooks: MeasureHooks,
  ) => Promise<ChaseSamples>;
}
