/**
 * The engine as the rest of the app sees it: promises in, plain data out. Nothing outside
 * this folder knows whether a worker or a direct call is behind it.
 */
import type { AnswerTo } from "./answers";
import type { AttributionTable } from "./generated/AttributionTable";
import type { AttributionView } from "./generated/AttributionView";
import type { CpuModel } from "./generated/CpuModel";
import type { Cores } from "./generated/Cores";
import type { ErrorCode } from "./generated/ErrorCode";
import type { EventFamily } from "./generated/EventFamily";
import type { ExperimentInfo } from "./generated/ExperimentInfo";
import type { ExperimentResult } from "./generated/ExperimentResult";
import type { ExportFormat } from "./generated/ExportFormat";
import type { FamilyName } from "./generated/FamilyName";
import type { Hex } from "./generated/Hex";
import type { ImportRequest } from "./generated/ImportRequest";
import type { LockstepView } from "./generated/LockstepView";
import type { Lost } from "./generated/Lost";
import type { MachineConfig } from "./generated/MachineConfig";
import type { MachineView } from "./generated/MachineView";
import type { Measured } from "./generated/Measured";
import type { OsConfig } from "./generated/OsConfig";
import type { Peek } from "./generated/Peek";
import type { Place } from "./generated/Place";
import type { Question } from "./generated/Question";
import type { RunWindow } from "./generated/RunWindow";
import type { RunReport } from "./generated/RunReport";
import type { StepView } from "./generated/StepView";
import type { SurveyOptions } from "./generated/SurveyOptions";
import type { SurveyReport } from "./generated/SurveyReport";
import type { TimelineView } from "./generated/TimelineView";
import type { TraceView } from "./generated/TraceView";
import type { WorkloadCheck } from "./generated/WorkloadCheck";
import type { WorkloadInfo } from "./generated/WorkloadInfo";

/** What is simulated beside the trace. */
export interface Setup {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
  /** What has a core of its own; missing = all accesses happen on one. */
  readonly cores?: Cores;
  /** Missing = all of the trace. */
  readonly window?: RunWindow;
}

/** A trace that is generated: the workload's id, and the parameters that are not its defaults. */
export interface Workload {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The contents of one structure as columns; slot `set * ways + way`.
 * `keyShift` 0 marks an empty slot.
 */
export interface StructureColumns {
  readonly keys: BigUint64Array;
  /** Lowest address bit of the key. */
  readonly keyShift: Uint8Array;
  /** 1 where the entry is a paging-structure entry inside a TLB array. */
  readonly table: Uint8Array;
  readonly filledAt: Uint32Array;
  readonly usedAt: Uint32Array;
  readonly hits: Uint32Array;
  /** The way of each set that a fill would take now (an empty one if there is one). */
  readonly next: Uint16Array;
}

/** The machine and the event at one access. `columns[s]` belongs to structure `s`. */
export interface Snapshot {
  readonly step: StepView;
  readonly columns: readonly StructureColumns[];
  /** Whose columns they are, one of `step.cores` or a core that has done nothing yet; missing = that of the access. */
  readonly core?: number;
}

/** Outcomes and densities over a window of the trace. Cell `(row, bin)` is at `row * view.bins + bin`. */
export interface Timeline {
  readonly view: TimelineView;
  /** Translations per bin, and how many ended in each way. */
  readonly translations: Uint32Array;
  readonly l2Hits: Uint32Array;
  readonly walks: Uint32Array;
  readonly faults: Uint32Array;
  /** Operations before the accesses of a bin; of the last bin of a trace also those at its end. */
  readonly operations: Uint32Array;
  /** Accesses per cell. */
  readonly density: Uint32Array;
  /** Walks (faults not included) and faults per cell. */
  readonly cellWalks: Uint32Array;
  readonly cellFaults: Uint32Array;
}

/** What a jump looks for. */
export type Target =
  | {
      readonly what: "l1-miss" | "l2-hit" | "walk" | "fault" | "operation";
    }
  /** Any access to the page that holds `address`, hex text. */
  | { readonly what: "page"; readonly address: string };

/** Which accesses a timeline shows: those to a range of addresses, or those that a range of instructions makes. */
export interface AccessFilter {
  readonly by: "address" | "instruction";
  readonly start: Hex;
  /** Not part of it. */
  readonly end: Hex;
}

/** How far a long task has come; `total` is missing where it is not known. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  /** `bytes` of the file that is read, `accesses` of the trace, `parts` of the file that is made or of the work. */
  readonly unit: "bytes" | "accesses" | "parts";
  /** Units per second. */
  readonly rate: number;
  /** Accesses read so far, during an import. */
  readonly accesses?: number;
}

export interface TaskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** How a file is read, and how much of it is wanted; what is missing is found out, and all of it is wanted. */
export type ImportChoices = Readonly<Omit<ImportRequest, "name" | "max_bytes">>;

export interface ImportOptions extends TaskOptions, ImportChoices {}

/** A trace as text that other programs read. */
export interface ExportedTrace {
  readonly file: Blob;
  /** What the format has no place for. */
  readonly lost: readonly Lost[];
}

/** What is known beside the counters of a real machine; nothing has to be. */
export interface MeasureOptions {
  /** Whose events the user says they are. */
  readonly family?: EventFamily;
  /** The id of the CPU model that is simulated. */
  readonly cpu?: string;
  /** The run that the counters are set beside. */
  readonly run?: RunReport;
}

/** How one of many runs ended; `index` is that of its setup. */
export type WholeOutcome =
  | { readonly index: number; readonly report: RunReport }
  | { readonly index: number; readonly error: EngineError };

export interface ManyOptions extends TaskOptions {
  /** Hears of each run as it ends. */
  readonly onOutcome?: (outcome: WholeOutcome) => void;
}

/** How one row of a sweep ended: its line of the results, or why there is none. */
export type RowOutcome =
  | { readonly row: number; readonly line: string }
  | { readonly row: number; readonly error: EngineError };

export interface SweepOptions extends TaskOptions {
  /** Hears of each row as it ends. */
  readonly onRow?: (outcome: RowOutcome) => void;
}

/** Two machines on one trace: the left one, then the right one. */
export interface PairView {
  readonly machines: readonly [MachineView, MachineView];
  readonly reports: readonly [RunReport, RunReport];
}

/** What happens at one access on each; `null` where it is not simulated. */
export type PairSteps = readonly [StepView | null, StepView | null];

export type PairRegions = readonly [AttributionTable, AttributionTable];

/** A trace in compact form: a file that an import reads again, faster than the one that it is from. */
export interface SavedTrace {
  readonly file: Blob;
  /** Hexadecimal text that is the same for traces of the same contents. */
  readonly hash: string;
}

export type EngineErrorCode = ErrorCode | "crashed" | "out-of-memory";

/** An error of the engine. Errors lose their own fields in `postMessage`, so it is rebuilt from plain data. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly at: Place | undefined;

  constructor(code: EngineErrorCode, message: string, at?: Place) {
    super(message);
    this.name = "EngineError";
    this.code = code;
    this.at = at;
  }
}

export interface Engine {
  /** The CPU models that ship with the app; before `prefetch` has ended they may come without the sources of their numbers. */
  cpus(): Promise<readonly CpuModel[]>;
  /** Reads a file; on success it becomes the current trace, on failure nothing changes. */
  importFile(
    file: Blob,
    name: string,
    options?: ImportOptions,
  ): Promise<TraceView>;
  /** Looks at the beginning of a file, as an import would read it; nothing changes. */
  peek(file: Blob, name: string, choices?: ImportChoices): Promise<Peek>;
  /** As `importFile`, for a trace that ships with the app: it needs nothing that is loaded later. */
  openShipped(file: Blob, name: string): Promise<TraceView>;
  /** Loads what is not needed at first, so that nobody waits for it later. */
  prefetch(): Promise<void>;
  /** The current trace as a file to keep. */
  saveTrace(options?: TaskOptions): Promise<SavedTrace>;
  /** The current trace as text. */
  exportTrace(
    format: ExportFormat,
    options?: TaskOptions,
  ): Promise<ExportedTrace>;
  /** The workloads that can be generated. */
  workloads(): Promise<readonly WorkloadInfo[]>;
  /** What is wrong with a workload's parameters, and how much they would make. */
  checkWorkload(workload: Workload): Promise<WorkloadCheck>;
  /** Generates a trace; on success it becomes the current one, on failure nothing changes. */
  generate(workload: Workload, options?: TaskOptions): Promise<TraceView>;
  /** The published experiments, in the order of the gallery. */
  experiments(): Promise<readonly ExperimentInfo[]>;
  /** Runs an experiment on machines of its own: trace, machine and run stay as they are. */
  experiment(id: string, options?: TaskOptions): Promise<ExperimentResult>;
  /** The processors that events of perf stat can be read as those of, by vendor and age. */
  eventFamilies(): Promise<readonly FamilyName[]>;
  /** What perf stat counted, and what a run counted of the same; `unknown-format` if it is no such text. */
  measure(text: string, options?: MeasureOptions): Promise<Measured>;
  /** What the samples of the current trace tell; `bad-trace` if it has none. */
  survey(options: SurveyOptions, task?: TaskOptions): Promise<SurveyReport>;
  /** Sets the machine; on failure (`bad-config`) the old one stays. */
  configure(setup: Setup): Promise<MachineView>;
  /** Runs the whole trace on the machine, laying checkpoints on the way. */
  run(options?: TaskOptions): Promise<RunReport>;
  /**
   * The state right after access `index`, and what happened there. `core`: the trace's number of the thread or
   * processor whose TLBs and walk caches are wanted, where each has its own.
   */
  seek(index: number, core?: number): Promise<Snapshot>;
  /** The nearest access after (`1`) or before (`-1`) `index` that fits, or `null`. */
  find(
    index: number,
    direction: 1 | -1,
    target: Target,
    options?: TaskOptions,
  ): Promise<number | null>;
  timeline(
    from: number,
    to: number,
    bins: number,
    rows: number,
    only?: AccessFilter,
  ): Promise<Timeline>;
  /** Whose misses they are: those that a run of the trace on the machine counts. */
  attribution(options?: TaskOptions): Promise<AttributionView>;
  /**
   * A whole run of the current trace on any machine, at full speed: the configured machine, its run and its replay
   * stay as they are, and what is asked of them meanwhile goes first. `bad-config` if there can be no such machine.
   */
  runWhole(setup: Setup, options?: TaskOptions): Promise<RunReport>;
  /**
   * `runWhole` of each setup, on all processors that there are, none of which is that of the replay. Outcomes are in the
   * order of the setups; a run that fails does not stop the others. Rejects with `cancelled` when the trace changes, too.
   */
  runMany(
    setups: readonly Setup[],
    options?: ManyOptions,
  ): Promise<readonly WholeOutcome[]>;
  /**
   * The number of rows of a sweep of the current trace, JSON as `pagewalk sweep` reads it; `bad-config` with the place
   * in it if there is something wrong, or in the first row if all of them are wrong.
   */
  sweepRows(spec: string): Promise<number>;
  /** Runs these rows of it as `runMany` does; each gives its line, as `pagewalk sweep` writes it, without the line break. */
  sweep(
    spec: string,
    rows: readonly number[],
    options?: SweepOptions,
  ): Promise<readonly RowOutcome[]>;
  /** Lines of rows as CSV, as `pagewalk sweep` writes it. */
  sweepTable(lines: string): Promise<string>;
  /** Answers a question about the current trace; what else is asked meanwhile goes first. */
  analyse<Q extends Question>(
    question: Q,
    options?: TaskOptions,
  ): Promise<AnswerTo<Q>>;
  /** Two machines side by side, beside the replay, until the trace changes; the calls below are about these. */
  openPair(left: Setup, right: Setup, options?: TaskOptions): Promise<PairView>;
  seekPair(index: number): Promise<PairSteps>;
  /** The nearest access after (`1`) or before (`-1`) `index` that ends differently, or `null`. */
  findDifference(
    index: number,
    direction: 1 | -1,
    options?: TaskOptions,
  ): Promise<number | null>;
  /** All accesses of both, in at most `bins` columns. */
  comparePair(bins: number, options?: TaskOptions): Promise<LockstepView>;
  pairRegions(options?: TaskOptions): Promise<PairRegions>;
  /** Makes the wasm trap, to test recovery. */
  crash(): Promise<never>;
  dispose(): void;
}
