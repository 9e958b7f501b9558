/** The whole state of the app. Only the functions of this folder change it. */
import type { MeasureState } from "../model/measure/state";
import type { ProgramStep } from "../model/code/program";
import type { OracleInfo } from "../engine/generated/OracleInfo";
import type { OracleState } from "../model/experiments/oracles";
import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type {
  EngineErrorCode,
  Progress,
  Snapshot,
  Target,
  Timeline,
  Workload,
} from "../engine/engine";
import type { AttributionView } from "../engine/generated/AttributionView";
import type { CpuModel } from "../engine/generated/CpuModel";
import type { EventFamily } from "../engine/generated/EventFamily";
import type { ExperimentInfo } from "../engine/generated/ExperimentInfo";
import type { ExportFormat } from "../engine/generated/ExportFormat";
import type { MachineView } from "../engine/generated/MachineView";
import type { Measured } from "../engine/generated/Measured";
import type { Peek } from "../engine/generated/Peek";
import type { Place } from "../engine/generated/Place";
import type { RunReport } from "../engine/generated/RunReport";
import type { SourceView } from "../engine/generated/SourceView";
import type { TraceView } from "../engine/generated/TraceView";
import type { WorkloadInfo } from "../engine/generated/WorkloadInfo";
import type { AttributionFilter } from "../model/attribution/rows";
import type { Shipped } from "../model/experiments/shipped";
import type { ExperimentState } from "../model/experiments/state";
import type { Reading, Take } from "../model/import/draft";
import type { CodeState } from "../model/code/code";
import type { ExerciseState } from "./exercise/state";
import type { LearnState, LessonPlace } from "./learn/state";
import type { Carried, Permalink, Screen } from "../model/permalink/permalink";
import type { ViewChoices } from "../model/permalink/viewChoices";
import { ALL_SAMPLES } from "../model/samples/state";
import type { SurveyChoice, SurveyState } from "../model/samples/state";
import { NO_WHAT_IF } from "../model/whatif/questions";
import type { WhatIfState } from "../model/whatif/questions";
import { NO_COMPARISON } from "./compare/state";
import type { CompareState } from "./compare/state";
import type { KeptTrace } from "../model/import/keptTrace";
import { NOTHING_SAVED } from "./compare/savedRuns";
import type { SavedState } from "./compare/savedRuns";
import type { SweepState } from "../model/whatif/sweepState";
import { NO_MACHINES } from "./config/machineStore";
import type { MachinesState } from "./config/machineStore";
import type { Configuration } from "./config/configurations";

/** A task in progress; the previous pictures stay. */
export interface Task {
  readonly kind: "start" | "run" | "find" | "restore";
  readonly label: string;
  readonly progress?: Progress;
  /** What is being searched, and in which direction. */
  readonly find?: { readonly target: Target; readonly direction: 1 | -1 };
}

/** A file before its import. It stays afterwards, for other choices. */
export interface ImportDraft {
  readonly file: Blob;
  readonly name: string;
  readonly reading: Reading;
  readonly take: Take;
  /** The result of the latest peek; the previous one while another is in progress. */
  readonly peek?: Peek;
  readonly isLooking: boolean;
  /** Why its import failed. */
  readonly rejected?: string | undefined;
}

/** The current trace being written as text. */
export interface Exporting {
  readonly format: ExportFormat;
  readonly progress?: Progress;
}

export interface Importing {
  readonly name: string;
  /** What the program does whose accesses are imported; missing for a file. */
  readonly step?: ProgramStep;
  /** Size of the file in bytes. */
  readonly size?: number;
  /** The import stops after this many accesses. */
  readonly limit?: number;
  /** Whether only some of the file's accesses are imported; the limit counts imported accesses. */
  readonly hasSelection?: boolean;
  readonly progress?: Progress;
}

/** The output of perf stat, and what it means. */
export interface MeasuredState {
  /** The file name, or a text in its place. */
  readonly name: string;
  readonly text: string;
  /** The family that the user chose for the events. */
  readonly family: EventFamily | undefined;
  /** Missing while the text is read, and if that failed. */
  readonly view: Measured | undefined;
  /** Why it cannot be read. */
  readonly problem: string | undefined;
  /** The text as a link holds it; `undefined` while it is being compressed, and if it is too long. */
  readonly packed: string | undefined;
  readonly isTooLong: boolean;
  /** The id of the example, if it is one. */
  readonly example: string | undefined;
  /** The counters came with a link. A reload reads them from there, and the user's own stay stored. */
  readonly isLinked: boolean;
}

/** A trace that is being generated. */
export interface Generating {
  readonly name: string;
  readonly progress?: Progress;
}

/**
 * The subject of the notice. `find`: a search without a result; `import`, `keep`, `setup`, `saved`: what
 * could not be read, kept, simulated or saved. `version`: a newer version of the site.
 */
export type NoticeKind =
  "find" | "import" | "keep" | "setup" | "link" | "saved" | "version";

/** A sentence for the user, until it is dismissed or replaced by newer ones. */
export interface Notice {
  readonly id: number;
  readonly tone: "error" | "note";
  /** A newer notice of the same kind replaces it. */
  readonly kind?: NoticeKind;
  readonly text: string;
  readonly code?: EngineErrorCode;
  readonly at?: Place;
  /** A button below the sentence; it dismisses the notice. */
  readonly button?: { readonly label: string; readonly onPress: () => void };
}

/** A part of the trace; `to` is exclusive. */
export interface TraceWindow {
  readonly from: number;
  readonly to: number;
}

/** A trace at an address that a link names: it is fetched when the user asks. */
export interface RemoteTrace {
  readonly link: Permalink;
  /** The address, after redirects if those are known. */
  readonly address: string;
  readonly host: string;
  /** Whether it belongs to this site. */
  readonly isOwn: boolean;
  /** Bytes; `null` while the server is asked, and missing if it does not say. */
  readonly size?: number | null;
  /** Bytes so far, while it is being fetched. */
  readonly done?: number;
  /** Why it cannot be fetched. */
  readonly problem?: string;
}

export type Theme = "auto" | "light" | "dark";

export interface AppState {
  readonly screen: Screen;
  /** Choices in the views of each screen that differ from their defaults. */
  readonly choices: Readonly<Partial<Record<Screen, ViewChoices>>>;
  /** The experiments of the app; `undefined` until they are known. */
  readonly experiments: readonly ExperimentInfo[] | undefined;
  /** The id of the open experiment; without one, the list is open. */
  readonly experiment: string | undefined;
  /** The term of the glossary that a link chose. */
  readonly term: string | undefined;
  /** The results that this version ships; empty until they are loaded. */
  readonly shipped: Shipped;
  /** By id, for experiments that were started. */
  readonly experimentStates: Readonly<Record<string, ExperimentState>>;
  /** The statements with known answers; `undefined` until they are known. */
  readonly oracles: readonly OracleInfo[] | undefined;
  /** By number, for those whose checks have run. */
  readonly oracleStates: Readonly<Record<number, OracleState>>;
  /** The counters of perf stat; `undefined` if there are none. */
  readonly measured: MeasuredState | undefined;
  /** The lessons; `undefined` before their screen is shown. */
  readonly learn: LearnState | undefined;
  /** The exercise of a student, or the answers of a class; it stands before the lessons. */
  readonly exercise: ExerciseState | undefined;
  /** The step of a lesson that the replay leads back to. */
  readonly back: LessonPlace | undefined;
  /** The user's programs; `undefined` before their screen is shown. */
  readonly codeScreen: CodeState | undefined;
  readonly cpus: readonly CpuModel[];
  readonly trace: TraceView | undefined;
  /** The id of the example, if the trace is one. */
  readonly builtIn: string | undefined;
  /** How the trace was generated, if it was. */
  readonly workload: Workload | undefined;
  /** A hash of an imported trace's contents; `undefined` until it is known. */
  readonly hash: string | undefined;
  /** How a link carries an imported trace; `undefined` if others need its file. */
  readonly carried: Carried | undefined;
  /** Imported traces that the browser keeps; `undefined` until they are requested. */
  readonly kept: readonly KeptTrace[] | undefined;
  /** Why this browser cannot keep traces, if so. */
  readonly keptProblem: string | undefined;
  /** The kept trace that was deleted last, which can be restored. */
  readonly deleted: KeptTrace | undefined;
  /** The profile that the screen Samples shows if the open trace has no samples; it is not in the replay. */
  readonly samplesExample: TraceView | "failed" | undefined;
  /** The statistics of the samples; `undefined` before they are requested. */
  readonly survey: SurveyState | undefined;
  readonly surveyChoice: SurveyChoice;
  /** The measurement of this computer; `undefined` before the first. */
  readonly measure: MeasureState | undefined;
  /** The recording of samples that the user chose to replay anyway. */
  readonly asConsecutive: TraceView | undefined;
  /** The workloads that can be generated; empty until they are requested. */
  readonly workloads: readonly WorkloadInfo[];
  /** The configuration; the pictures follow when it has run. */
  readonly configuration: Configuration | undefined;
  /** Configurations for undo, oldest first, and for redo, next first. */
  readonly past: readonly Configuration[];
  readonly future: readonly Configuration[];
  /** Rises when undo, redo or reset discard text that is not applied. */
  readonly revision: number;
  /** JSON text that is neither applied nor discarded. */
  readonly jsonDraft: string | null;
  /** `machine`, `report` and `snapshot` always belong together. */
  readonly machine: MachineView | undefined;
  readonly report: RunReport | undefined;
  readonly snapshot: Snapshot | undefined;
  /** The access that the replay shows or moves to, from 0. */
  readonly cursor: number;
  readonly window: TraceWindow;
  /** The resolution that fits the timeline. */
  readonly grid: { readonly bins: number; readonly rows: number };
  readonly timeline: Timeline | undefined;
  readonly whatIf: WhatIfState;
  /** The latest one, of this trace or another. */
  readonly sweep: SweepState | undefined;
  /** The line of an instruction of this trace; `view` is missing if it is not known. */
  readonly source:
    | {
        readonly trace: TraceView;
        readonly ip: string;
        readonly view: SourceView | undefined;
      }
    | undefined;
  /** The user's own program that made this trace. */
  readonly code:
    { readonly trace: TraceView; readonly text: string } | undefined;
  /** The accesses that the timeline is limited to. */
  readonly only:
    | { readonly trace: TraceView; readonly filter: AttributionFilter }
    | undefined;
  /** Misses by region, page and instruction; `view` is missing while they are counted. */
  readonly attribution:
    | {
        readonly report: RunReport;
        readonly view: AttributionView | undefined;
        readonly progress: Progress | undefined;
      }
    | undefined;
  /** The core whose TLBs are shown, and its trace and machine; missing = that of each access. */
  readonly core:
    | {
        readonly machine: MachineView;
        readonly trace: TraceView;
        readonly core: number;
      }
    | undefined;
  /** The structure that the user selected; without one, the picture follows the access. */
  readonly pinned:
    { readonly machine: MachineView; readonly structure: number } | undefined;
  readonly playing: boolean;
  /** Accesses per second, 1 to 10⁶. */
  readonly speed: number;
  readonly task: Task | undefined;
  readonly draft: ImportDraft | undefined;
  readonly importing: Importing | undefined;
  readonly remote: RemoteTrace | undefined;
  readonly exporting: Exporting | undefined;
  readonly generating: Generating | undefined;
  /** Whether the pictures belong to a previous configuration or trace. */
  readonly stale: boolean;
  readonly notices: readonly Notice[];
  /** Whether the summary of the latest import is shown. */
  readonly showsImport: boolean;
  /** Whether the summary is folded to a button, so that it covers no picture. */
  readonly foldsImport: boolean;
  readonly theme: Theme;
  /** Whether text is larger, for a lecture hall. */
  readonly projector: boolean;
  /** Whether the first screen is shown in place of the replay. */
  readonly welcome: boolean;
  /** Whether details that a beginner does not need are hidden. */
  readonly plain: boolean;
  readonly compare: CompareState;
  readonly saved: SavedState;
  readonly machines: MachinesState;
}

export type AppStore = StoreApi<AppState>;

export const SPEEDS = { least: 1, most: 1_000_000 } as const;

const INITIAL: AppState = {
  screen: "replay",
  choices: {},
  experiments: undefined,
  experiment: undefined,
  term: undefined,
  shipped: {},
  experimentStates: {},
  oracles: undefined,
  oracleStates: {},
  measured: undefined,
  learn: undefined,
  exercise: undefined,
  back: undefined,
  codeScreen: undefined,
  cpus: [],
  trace: undefined,
  builtIn: undefined,
  workload: undefined,
  hash: undefined,
  carried: undefined,
  kept: undefined,
  keptProblem: undefined,
  deleted: undefined,
  samplesExample: undefined,
  survey: undefined,
  surveyChoice: ALL_SAMPLES,
  measure: undefined,
  asConsecutive: undefined,
  workloads: [],
  configuration: undefined,
  past: [],
  future: [],
  revision: 0,
  jsonDraft: null,
  machine: undefined,
  report: undefined,
  snapshot: undefined,
  cursor: 0,
  window: { from: 0, to: 0 },
  grid: { bins: 256, rows: 60 },
  timeline: undefined,
  whatIf: NO_WHAT_IF,
  sweep: undefined,
  source: undefined,
  code: undefined,
  only: undefined,
  attribution: undefined,
  core: undefined,
  pinned: undefined,
  playing: false,
  // Slow enough to read each access.
  speed: 2,
  task: { kind: "start", label: "Starting" },
  draft: undefined,
  importing: undefined,
  remote: undefined,
  exporting: undefined,
  generating: undefined,
  stale: true,
  notices: [],
  showsImport: false,
  foldsImport: false,
  theme: "auto",
  projector: false,
  welcome: false,
  plain: false,
  compare: NO_COMPARISON,
  saved: NOTHING_SAVED,
  machines: NO_MACHINES,
};

export function createAppStore(initial: Partial<AppState> = {}): AppStore {
  return createStore<AppState>(() => ({ ...INITIAL, ...initial }));
}
