/** The state of the comparison screen. */
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

/** One CPU model on the trace; its memory may be plain pages if the model lacks the policy. */
export interface ModelRun {
  readonly configuration: Configuration;
  readonly report?: RunReport;
  readonly error?: EngineError;
}

export interface ModelsState {
  readonly trace: TraceView;
  /** The replay's setup when the run started. */
  readonly configuration: Configuration;
  readonly status: "running" | "done" | "cancelled" | "failed";
  readonly runs: readonly ModelRun[];
  readonly total: number;
  readonly problem?: string;
}

export interface CompareState {
  readonly part: ComparePart;
  /** The user's choice for the right side; `undefined` = the default. */
  readonly right: Side | undefined;
  readonly status: "idle" | "running" | "failed";
  readonly progress: Progress | undefined;
  /** Why the right machine cannot be simulated. */
  readonly problem: string | undefined;
  readonly pair: ComparedPair | undefined;
  /** The result of `pair`; missing while it is computed. */
  readonly lockstep: LockstepView | undefined;
  readonly regions: PairRegions | undefined;
  /** The access that both sides show or move to. */
  readonly at: number;
  readonly steps: PairSteps | undefined;
  /** The direction of a search for a difference in progress. */
  readonly searching: 1 | -1 | undefined;
  /** The message of a search without a result. */
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
