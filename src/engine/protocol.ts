/**
 * What crosses between the engine's client and the session, in whichever thread it runs:
 * one request, any number of progress messages, one answer.
 */
import type { Answers } from "./answers";
import type {
  AccessFilter,
  MeasureOptions,
  PairRegions,
  PairSteps,
  PairView,
  ExportedTrace,
  ImportChoices,
  Progress,
  SavedTrace,
  Setup,
  Snapshot,
  Target,
  Timeline,
  Workload,
} from "./engine";
import type { PlainError } from "./errors";
import type { AttributionView } from "./generated/AttributionView";
import type { CpuModel } from "./generated/CpuModel";
import type { ExperimentInfo } from "./generated/ExperimentInfo";
import type { ExperimentResult } from "./generated/ExperimentResult";
import type { ExportFormat } from "./generated/ExportFormat";
import type { FamilyName } from "./generated/FamilyName";
import type { LockstepView } from "./generated/LockstepView";
import type { MachineView } from "./generated/MachineView";
import type { Measured } from "./generated/Measured";
import type { Question } from "./generated/Question";
import type { Peek } from "./generated/Peek";
import type { RunReport } from "./generated/RunReport";
import type { SurveyOptions } from "./generated/SurveyOptions";
import type { SurveyReport } from "./generated/SurveyReport";
import type { TraceView } from "./generated/TraceView";
import type { WorkloadCheck } from "./generated/WorkloadCheck";
import type { WorkloadInfo } from "./generated/WorkloadInfo";

/** Every call with its arguments and its result. */
export interface Calls {
  cpus: { args: object; result: readonly CpuModel[] };
  import: {
    args: { file: Blob; name: string; choices: ImportChoices };
    result: TraceView;
  };
  peek: {
    args: { file: Blob; name: string; choices: ImportChoices };
    result: Peek;
  };
  open: { args: { file: Blob; name: string }; result: TraceView };
  save: { args: object; result: SavedTrace };
  export: { args: { format: ExportFormat }; result: ExportedTrace };
  workloads: { args: object; result: readonly WorkloadInfo[] };
  checkWorkload: { args: { workload: Workload }; result: WorkloadCheck };
  generate: { args: { workload: Workload }; result: TraceView };
  experiments: { args: object; result: readonly ExperimentInfo[] };
  experiment: { args: { experiment: string }; result: ExperimentResult };
  eventFamilies: { args: object; result: readonly FamilyName[] };
  measure: {
    args: { text: string; options: MeasureOptions };
    result: Measured;
  };
  survey: { args: { options: SurveyOptions }; result: SurveyReport };
  configure: { args: { setup: Setup }; result: MachineView };
  run: { args: object; result: RunReport };
  seek: { args: { index: number; core?: number }; result: Snapshot };
  find: {
    args: { index: number; direction: 1 | -1; target: Target };
    result: number | null;
  };
  timeline: {
    args: {
      from: number;
      to: number;
      bins: number;
      rows: number;
      only?: AccessFilter;
    };
    result: Timeline;
  };
  attribution: { args: object; result: AttributionView };
  openPair: { args: { left: Setup; right: Setup }; result: PairView };
  seekPair: { args: { index: number }; result: PairSteps };
  findDifference: {
    args: { index: number; direction: 1 | -1 };
    result: number | null;
  };
  comparePair: { args: { bins: number }; result: LockstepView };
  pairRegions: { args: object; result: PairRegions };
  runWhole: { args: { setup: Setup }; result: RunReport };
  /** The number of rows of a sweep. */
  sweepRows: { args: { spec: string }; result: number };
  /** The line of one. */
  runRow: { args: { spec: string; row: number; hash: string }; result: string };
  /** Lines as CSV. */
  sweepTable: { args: { lines: string }; result: string };
  analyse: { args: { question: Question }; result: Answers[keyof Answers] };
  prefetch: { args: object; result: null };
  crash: { args: object; result: never };
}

export type CallName = keyof Calls;

/** A call under a number that its answer carries. */
export type Call<K extends CallName = CallName> = {
  [N in K]: { readonly type: N; readonly id: number } & Readonly<
    Calls[N]["args"]
  >;
}[K];

export type Request = Call | { readonly type: "cancel"; readonly id: number };

export type Reply =
  /** The module is compiled; calls posted before are served now. */
  | { readonly type: "ready" }
  | {
      readonly type: "done";
      readonly id: number;
      readonly result: Calls[CallName]["result"];
    }
  | { readonly type: "failed"; readonly id: number; readonly error: PlainError }
  | {
      readonly type: "progress";
      readonly id: number;
      readonly progress: Progress;
    }
  /** The module could not be loaded or is unusable; nothing else will come. */
  | { readonly type: "dead"; readonly error: PlainError };

/** The buffers of a result that move instead of being copied. */
export function transferables(reply: Reply): ArrayBuffer[] {
  if (reply.type !== "done") return [];
  const { result } = reply;
  if (result === null || typeof result !== "object") return [];
  const parts: object[] = "columns" in result ? [...result.columns] : [result];
  // A blob has no own fields: what is in it is not copied either.
  return parts
    .flatMap((part): unknown[] => Object.values(part))
    .filter((value) => ArrayBuffer.isView(value))
    .map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}
