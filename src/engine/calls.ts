/**
 * Every call that the site makes to the engine, with its arguments and its result: `Calls` are answered at once,
 * `Tasks` take a while and can be cancelled. A new call is one row here, one row in `schedule.ts`
 * and one row of a table in `sim-core/wasm/src/lib.rs`, or in `sim-core/replay-wasm/src/lib.rs` if a replay needs it.
 */
import type { OracleInfo } from "./generated/OracleInfo";
import type { OracleResult } from "./generated/OracleResult";
import type {
  AccessFilter,
  EngineError,
  ExportedTrace,
  ImportArgs,
  MeasureOptions,
  PairRegions,
  PairSteps,
  PairView,
  SavedTrace,
  Setup,
  Snapshot,
  Target,
  TaskOptions,
  Timeline,
  Workload,
} from "./engine";
import type { Answers } from "./generated/Answers";
import type { Ask } from "./generated/Ask";
import type { Asked } from "./generated/Asked";
import type { AttributionView } from "./generated/AttributionView";
import type { ChaseReport } from "./generated/ChaseReport";
import type { ChaseSamples } from "./generated/ChaseSamples";
import type { CoreError } from "./generated/CoreError";
import type { CpuModel } from "./generated/CpuModel";
import type { ExerciseView } from "./generated/ExerciseView";
import type { ExperimentInfo } from "./generated/ExperimentInfo";
import type { ExperimentResult } from "./generated/ExperimentResult";
import type { ExportFormat } from "./generated/ExportFormat";
import type { GivenAnswer } from "./generated/GivenAnswer";
import type { Graded } from "./generated/Graded";
import type { Hex } from "./generated/Hex";
import type { ImportRequest } from "./generated/ImportRequest";
import type { LockstepView } from "./generated/LockstepView";
import type { MachineConfig } from "./generated/MachineConfig";
import type { MachineView } from "./generated/MachineView";
import type { Measured } from "./generated/Measured";
import type { Peek } from "./generated/Peek";
import type { Posed } from "./generated/Posed";
import type { Question } from "./generated/Question";
import type { Report } from "./generated/Report";
import type { RunReport } from "./generated/RunReport";
import type { SourceView } from "./generated/SourceView";
import type { SurveyOptions } from "./generated/SurveyOptions";
import type { SurveyReport } from "./generated/SurveyReport";
import type { TraceView } from "./generated/TraceView";
import type { WorkloadCheck } from "./generated/WorkloadCheck";
import type { WorkloadInfo } from "./generated/WorkloadInfo";

/** Short calls. */
export interface Calls {
  /** The CPU models that ship with the app. */
  cpus: { args: object; result: readonly CpuModel[] };
  /** Opens a trace that ships with the app. The small module can do this. */
  open: { args: { file: Blob; name: string }; result: TraceView };
  /** Sets the machine; on failure (`bad-config`) the old one stays. */
  configure: { args: Setup; result: MachineView };
  /**
   * The state right after an access, and the events of the access. `core` is the number in the trace of the
   * thread or processor whose TLBs and walk caches are returned, if each has its own.
   */
  seek: { args: { index: number; core?: number }; result: Snapshot };
  /** Returns all problems of a machine, each at its field; none if the machine can be simulated. */
  checkMachine: { args: MachineConfig; result: readonly CoreError[] };
  /** Makes the wasm trap, to test recovery. */
  crash: { args: object; result: never };
  /** Loads the whole module, so that no later call waits for it. */
  prefetch: { args: object; result: null };
  /** Previews the beginning of a file, as an import would read it. Nothing changes. */
  peek: { args: { file: Blob; request: ImportRequest }; result: Peek };
  /**
   * Adds a copy of /proc/PID/maps or smaps to what is known about the current trace, whose name is given. On failure
   * nothing changes.
   */
  describe: { args: { file: Blob; name: string }; result: TraceView };
  /** The line of an instruction, with at most `most` known lines before and after it; `null` if it is not known. */
  sourceAt: { args: { ip: Hex; most: number }; result: SourceView | null };
  /** The workloads that can be generated. */
  workloads: { args: object; result: readonly WorkloadInfo[] };
  /** The errors in a workload's parameters, and the number of accesses that they would make. */
  checkWorkload: { args: Workload; result: WorkloadCheck };
  /** The published experiments, in the order of the gallery. */
  experiments: { args: object; result: readonly ExperimentInfo[] };
  /** The statements with known answers, by number. */
  oracles: { args: object; result: readonly OracleInfo[] };
  /** Runs the checks of the statement with this number. */
  verify: { args: { number: number }; result: OracleResult };
  /** The counters of perf stat, compared with a run; `unknown-format` if the text is no output of perf stat. */
  measure: { args: MeasureOptions & { text: string }; result: Measured };
  /**
   * The number of rows of a sweep of the current trace. The sweep is JSON for `pagewalk sweep`. The error is
   * `bad-config` with the field that is wrong, or the error of the first row if all rows have one.
   */
  sweepRows: { args: { spec: string }; result: number };
  /** Lines of rows as CSV, as `pagewalk sweep` writes it. */
  sweepTable: { args: { lines: string }; result: string };
  /** The two machines of `openPair` at one access. */
  seekPair: { args: { index: number }; result: PairSteps };
  /**
   * Poses a question about access `at` of the replay. `seed` gives the order of the choices; without `choices`, their
   * number, the answer is typed. The error is `bad-config` if the question makes no sense at that access.
   */
  ask: {
    args: { at: number; ask: Ask; seed: number; choices?: number };
    result: Posed;
  };
  /** Grades an answer to such a question. */
  answer: { args: { at: number; ask: Ask; given: string }; result: Graded };
  /**
   * Reads an exercise, a JSON text, and checks everything that does not need its trace. The error is `bad-config` with
   * the field that is wrong, or `unsupported` for a newer version.
   */
  exercise: { args: { text: string }; result: ExerciseView };
  /**
   * The questions of a student. The machine and the trace of the exercise are those of the replay. The error is
   * `bad-config` at `machine` if another machine is open.
   */
  exerciseQuestions: {
    args: { text: string; name: string };
    result: readonly Asked[];
  };
  /** The line that a student hands in, with one answer to each question. */
  exerciseLine: {
    args: { text: string; name: string; answers: readonly GivenAnswer[] };
    result: string;
  };
  /** Grades files with one answer line of a student on each line, under the same condition as `exerciseQuestions`. */
  gradeExercise: {
    args: {
      text: string;
      files: readonly { readonly name: string; readonly text: string }[];
    };
    result: Report;
  };
}

/** Long calls. */
export interface Tasks {
  /** Reads a file. On success its trace becomes the current one; on failure nothing changes. */
  import: { args: ImportArgs; result: TraceView };
  /** Generates a trace. On success it becomes the current one; on failure nothing changes. */
  generate: { args: Workload; result: TraceView };
  /** The current trace as a file to keep. */
  save: { args: object; result: SavedTrace };
  /** The current trace as text. */
  export: { args: { format: ExportFormat }; result: ExportedTrace };
  /** Runs the whole trace on the machine, and makes checkpoints for seeks. */
  run: { args: object; result: RunReport };
  /** Finds the nearest access after (`1`) or before (`-1`) `index` that matches, or `null`. */
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
  /** Counts the misses of the run by region, page and instruction. */
  attribution: { args: object; result: AttributionView };
  /** Runs an experiment on separate machines. The trace, the machine and the run of the replay do not change. */
  experiment: { args: { id: string }; result: ExperimentResult };
  /** The survey of the current trace's samples; `bad-trace` if it has none. */
  survey: { args: SurveyOptions; result: SurveyReport };
  /** What the times of a pointer chase say about this processor, and the models that fit. */
  compareChase: {
    args: {
      samples: ChaseSamples;
      /** A measurement of every page, to compare a larger stride with. */
      every_page?: ChaseSamples;
    };
    result: ChaseReport;
  };
  /** Answers a question about the current trace. */
  analyse: { args: Question; result: Answers[keyof Answers] };
  /**
   * Runs the whole current trace on any machine. The configured machine, its run and its replay do not change. The
   * error is `bad-config` if the machine is not valid.
   */
  runWhole: { args: Setup; result: RunReport };
  /**
   * Runs a row of a sweep of the trace with this hash. Returns its line as `pagewalk sweep` writes it, without the
   * line break.
   */
  runRow: { args: { spec: string; row: number; hash: string }; result: string };
  /** Opens two machines next to the replay, until the trace changes. The following calls are about these machines. */
  openPair: { args: { left: Setup; right: Setup }; result: PairView };
  /** Finds the nearest access after (`1`) or before (`-1`) `index` that ends differently, or `null`. */
  findDifference: {
    args: { index: number; direction: 1 | -1 };
    result: number | null;
  };
  /** Compares all accesses of both machines, in at most `bins` columns. */
  comparePair: { args: { bins: number }; result: LockstepView };
  pairRegions: { args: object; result: PairRegions };
}

export type AnswerTo<Q extends Question> = Answers[Q["what"]];

export type CallName = keyof Calls;
export type TaskName = keyof Tasks;
export type Name = CallName | TaskName;

/** All calls, short and long. */
type All = Calls & Tasks;
export type Args<N extends Name> = Readonly<All[N]["args"]>;
export type Result<N extends Name = Name> = All[N]["result"];

/** The arguments of one of many runs, without the hash of the trace, which the pool adds. */
export type OneOf<N extends TaskName> = Omit<Args<N>, "hash">;

/** The result of one of many runs; `index` is its place in the list. */
export type Outcome<N extends TaskName> =
  | { readonly index: number; readonly result: Result<N> }
  | { readonly index: number; readonly error: EngineError };

export interface ManyOptions<N extends TaskName> extends TaskOptions {
  /** Called with each outcome as it comes. */
  readonly onOutcome?: (outcome: Outcome<N>) => void;
}

/** The interface of the engine for the rest of the app, which does not depend on the worker. */
export interface Engine {
  call<N extends CallName>(name: N, args: Args<N>): Promise<Result<N>>;
  start<Q extends Question>(
    name: "analyse",
    args: Q,
    options?: TaskOptions,
  ): Promise<AnswerTo<Q>>;
  start<N extends TaskName>(
    name: N,
    args: Args<N>,
    options?: TaskOptions,
  ): Promise<Result<N>>;
  /**
   * Starts a task with each of these arguments, on instances other than that of the replay. Outcomes are in the order
   * of the list. A task that fails does not stop the others. Rejects with `cancelled` also when the trace changes.
   */
  many<N extends TaskName>(
    name: N,
    list: readonly OneOf<N>[],
    options?: ManyOptions<N>,
  ): Promise<readonly Outcome<N>[]>;
  dispose(): void;
}
