/** The messages between the page and the worker that measures. */
import type { ChaseSamples } from "../../engine/generated/ChaseSamples";
import type { MeasureProgress } from "../../model/measure/state";

export type MeasureAnswer =
  | { readonly progress: MeasureProgress }
  | { readonly samples: ChaseSamples }
  | { readonly problem: string };
