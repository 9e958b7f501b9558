/** What the screen that compares shows. */
import type {
  EngineError,
  PairRegions,
  PairSteps,
  PairView,
  Progress,
} from "../../engine/engine";
import type { LockstepView } from "../../engine/generated/LockstepView";
import type { RunReport } from "../../engine/generated/RunReport";
import type { TraceView } from "../../engine/generated/TraceView";
import type { Side } from "../../model/compare/sides";
import type { Configuration } from "../config/configurations";

export type ComparePart = "pair" | "models" | "saved";

/** Two machines, and the trace on which they are compared. */
export interface Compared {
  readonly trace: TraceView;
  readonly left: Configuration;
  readonly right: Configuration;
}

/** Two machines that have run on a trace. */
export interface ComparedPair extends Compared {
  readonly view: PairView;
}

/** One CPU model on the trace; the memory may be plain pages where the model has no such one. */
export interface ModelRun {
  readonly configuration: Configuration;
  readonly report?: RunReport;
  readonly error?: EngineError;
}

export interface ModelsState {
  readonly trace: TraceView;
  /** That of the replay when it was started. */
  readonly configuration: Configuration;
  readonly status: "running" | "done" | "cancelled" | "failed";
  readonly runs: readonly ModelRun[];
  readonly total: number;
  readonly problem?: string;
}

export interface CompareState {
  readonly part: ComparePart;
  /** What was chosen for the right; `undefined`: what is usual. */
  readonly right: Side | undefined;
  readonly status: "idle" | "running" | "failed";
  readonly progress: Progress | undefined;
  /** Why the right machine cannot be simulated. */
  readonly problem: string | undefined;
  readonly pair: ComparedPair | undefined;
  /** Of `pair`; missing while they are counted. */
  readonly lockstep: LockstepView | undefined;
  readonly regions: PairRegions | undefined;
  /** Where both stand or go to. */
  readonly at: number;
  readonly steps: PairSteps | undefined;
  /** The direction of a search for a difference that is under way. */
  readonly searching: 1 | -1 | undefined;
  /** What a search did not find. */
  readonly note: string | undefined;
  readonly models: ModelsState | undefined;
}

export const NO_COMPARISON: CompareState = {
  part: "pair",
  right: undefined,
  status: "idle",
  progress: undefined,
  problem: undefined,
  pair: undefined,
  lockstep: undefined,
  regions: undefined,
  at: 0,
  steps: undefined,
  searching: undefined,
  note: undefined,
  models: undefined,
};
