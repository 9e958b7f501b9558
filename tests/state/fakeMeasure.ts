/** A measurement without a worker: the test says how it ends. */
import type { MeasureJob } from "../../src/model/measure/state";
import type {
  MeasureHooks,
  MeasureService,
} from "../../src/state/measure/service";
import type { ChaseSamples } from "../../src/engine/generated/ChaseSamples";

export interface FakeMeasure extends MeasureService {
  /** The measurements so far, each with the functions that end it. */
  readonly begun: {
    readonly job: MeasureJob;
    readonly hooks: MeasureHooks;
    readonly done: (samples: ChaseSamples) => void;
    readonly fail: (why: Error) => void;
  }[];
}

export function fakeMeasure(): FakeMeasure {
  const begun: FakeMeasure["begun"] = [];
  return {
    begun,
    measure: (job, hooks) =>
      new Promise((done, fail) => {
        hooks.signal.addEventListener("abort", () =>
          fail(new Error("cancelled")),
        );
        begun.push({ job, hooks, done, fail });
      }),
  };
}
