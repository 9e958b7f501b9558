/** Everything that the app shows, in one place. Only the functions of this folder change it. */
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
import type { FamilyName } from "../engine/generated/FamilyName";
import type { MachineView } from "../engine/generated/MachineView";
import type { Measured } from "../engine/generated/Measured";
import type { Peek } from "../engine/generated/Peek";
import type { Place } from "../engine/generated/Place";
import type { RunReport } from "../engine/generated/RunReport";
import type { TraceView } from "../engine/generated/TraceView";
import type { WorkloadInfo } from "../engine/generated/WorkloadInfo";
import type { AttributionFilter } from "../model/attribution/rows";
import type { ExperimentState } from "../model/experiments/state";
import type { Reading, Take } from "../model/import/draft";
import type { LoopState } from "../model/loop/loop";
import type { Screen } from "../model/permalink/permalink";
import type { ViewChoices } from "../model/permalink/viewChoices";
import { ALL_SAMPLES } from "../model/samples/state";
import type { SurveyChoice, SurveyState } from "../model/samples/state";
import { NO_WHAT_IF } from "../model/whatif/questions";
import type { WhatIfState } from "../model/whatif/questions";
import { NO_COMPARISON } from "./compare/state";
import type { CompareState } from "./compare/state";
import type { KeptTrace } from "./import/kept";
import { NOTHING_SAVED } from "./compare/savedRuns";
import type { SavedState } from "./compare/savedRuns";
import type { SweepState } from "./whatif/sweepState";
import type { Configuration } from "./config/configurations";

/** What takes time now; the pictures of before stay. */
export interface Task {
  readonly kind: "start" | "run" | "find" | "restore";
  readonly label: string;
  readonly progress?: Progress;
  /** What is looked for, and in which direction. */
  readonly find?: { readonly target: Target; readonly direction: 1 | -1 };
}

/** A file that may be imported. It stays after its import, for other choices. */
export interface ImportDraft {
  readonly file: Blob;
  readonly name: string;
  readonly reading: Reading;
  readonly take: Take;
  /** What the newest look found; one of before while another is under way. */
  readonly peek?: Peek;
  readonly isLooking: boolean;
  /** Why its import failed. */
  readonly refused?: string | undefined;
}

/** The current trace being written as text. */
export interface Exporting {
  readonly format: ExportFormat;
  readonly progress?: Progress;
}

export interface Importing {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Accesses after which the import stops. */
  readonly limit?: number;
  /** Not all of the file's accesses are wanted; the limit counts those that are. */
  readonly hasSelection?: boolean;
  readonly progress?: Progress;
}

/** What perf stat printed, and what it says. */
export interface MeasuredState {
  /** Of the file, or what stands for it. */
  readonly name: string;
  readonly text: string;
  /** Whose events the user says they are. */
  readonly family: EventFamily | undefined;
  /** Missing while it is read, and where that failed. */
  readonly view: Measured | undefined;
  /** Why it cannot be read. */
  readonly problem: string | undefined;
  /** The text as a link holds it; `undefined` while it is packed, and where it is too long. */
  readonly packed: string | undefined;
  readonly isTooLong: boolean;
  /** They came with a link: a reload reads them there, and what the user read is kept. */
  readonly isLinked: boolean;
}

/** A trace that is being generated. */
export interface Generating {
  readonly name: string;
  readonly progress?: Progress;
}

/** `find`: a search without a result; `import`, `keep`, `setup`, `saved`: what could not be read, kept, simulated or saved. */
export type NoticeKind =
  "find" | "import" | "keep" | "setup" | "link" | "saved";

/** A sentence for the user, until it is dismissed or pushed out by newer ones. */
export interface Notice {
  readonly id: number;
  readonly tone: "error" | "note";
  /** A newer notice of the same kind takes its place. */
  readonly kind?: NoticeKind;
  readonly text: string;
  readonly code?: EngineErrorCode;
  readonly at?: Place;
}

/** Part of the trace; `to` is not in it. */
export interface TraceWindow {
  readonly from: number;
  readonly to: number;
}

export type Theme = "auto" | "light" | "dark";

export interface AppState {
  readonly screen: Screen;
  /** What the views of each screen show, where it is not what they open with. */
  readonly choices: Readonly<Partial<Record<Screen, ViewChoices>>>;
  /** Those that ship with the app; `undefined` until they are known. */
  readonly experiments: readonly ExperimentInfo[] | undefined;
  /** The id of the one that is open; none: the list is. */
  readonly experiment: string | undefined;
  /** By id, those that were asked for. */
  readonly experimentStates: Readonly<Record<string, ExperimentState>>;
  /** What perf stat counted on a real machine; `undefined` where nothing was given. */
  readonly measured: MeasuredState | undefined;
  /** Those that its events can be read as; empty until they are asked for. */
  readonly eventFamilies: readonly FamilyName[];
  /** The loop that the user writes; `undefined` before its screen is shown. */
  readonly loop: LoopState | undefined;
  readonly cpus: readonly CpuModel[];
  readonly trace: TraceView | undefined;
  /** The id of the shipped trace, if it is one. */
  readonly builtIn: string | undefined;
  /** How the trace was generated, if it was. */
  readonly workload: Workload | undefined;
  /** Tells the contents of an imported trace from others; `undefined` until it is known. */
  readonly hash: string | undefined;
  /** Imported traces that the browser keeps; `undefined` until they are asked for. */
  readonly kept: readonly KeptTrace[] | undefined;
  /** Why nothing can be kept here, if so. */
  readonly keptProblem: string | undefined;
  /** The trace that was deleted last from those kept, which can be put back. */
  readonly deleted: KeptTrace | undefined;
  /** What the samples of the trace tell; `undefined` before that is asked for. */
  readonly survey: SurveyState | undefined;
  readonly surveyChoice: SurveyChoice;
  /** The recording of samples whose replay was asked for although it is none. */
  readonly asConsecutive: TraceView | undefined;
  /** Those that can be generated; empty until they are asked for. */
  readonly workloads: readonly WorkloadInfo[];
  /** What is configured; the pictures follow when it has run. */
  readonly configuration: Configuration | undefined;
  /** Configurations to go back to, oldest first, and forward to, next first. */
  readonly past: readonly Configuration[];
  readonly future: readonly Configuration[];
  /** Rises when undo, redo or reset drop what is typed into the editor and not applied. */
  readonly revision: number;
  /** JSON that was typed and neither applied nor discarded. */
  readonly jsonDraft: string | null;
  /** `machine`, `report` and `snapshot` always belong together. */
  readonly machine: MachineView | undefined;
  readonly report: RunReport | undefined;
  readonly snapshot: Snapshot | undefined;
  /** Where the replay stands or is going, from 0. */
  readonly cursor: number;
  readonly window: TraceWindow;
  /** The resolution that the timeline has room for. */
  readonly grid: { readonly bins: number; readonly rows: number };
  readonly timeline: Timeline | undefined;
  readonly whatIf: WhatIfState;
  /** The newest one, of this trace or another. */
  readonly sweep: SweepState | undefined;
  /** Which accesses of a trace the timeline shows, where not all of them. */
  readonly only:
    | { readonly trace: TraceView; readonly filter: AttributionFilter }
    | undefined;
  /** Whose misses those of a run are; `view` is missing while it is counted. */
  readonly attribution:
    | {
        readonly report: RunReport;
        readonly view: AttributionView | undefined;
        readonly progress: Progress | undefined;
      }
    | undefined;
  /** The core whose TLBs are looked at, and of what; missing = that of each access. */
  readonly core:
    | {
        readonly machine: MachineView;
        readonly trace: TraceView;
        readonly core: number;
      }
    | undefined;
  /** The structure of a machine that the user picked; without it the picture follows the access. */
  readonly pinned:
    { readonly machine: MachineView; readonly structure: number } | undefined;
  readonly playing: boolean;
  /** Accesses per second, 1 to 10⁶. */
  readonly speed: number;
  readonly task: Task | undefined;
  readonly draft: ImportDraft | undefined;
  readonly importing: Importing | undefined;
  readonly exporting: Exporting | undefined;
  readonly generating: Generating | undefined;
  /** The pictures belong to a configuration or a trace of before. */
  readonly stale: boolean;
  readonly notices: readonly Notice[];
  /** What was found in the file that was imported last is on the screen. */
  readonly showsImport: boolean;
  readonly theme: Theme;
  readonly compare: CompareState;
  readonly saved: SavedState;
}

export type AppStore = StoreApi<AppState>;

export const SPEEDS = { least: 1, most: 1_000_000 } as const;

const INITIAL: AppState = {
  screen: "replay",
  choices: {},
  experiments: undefined,
  experiment: undefined,
  experimentStates: {},
  measured: undefined,
  eventFamilies: [],
  loop: undefined,
  cpus: [],
  trace: undefined,
  builtIn: undefined,
  workload: undefined,
  hash: undefined,
  kept: undefined,
  keptProblem: undefined,
  deleted: undefined,
  survey: undefined,
  surveyChoice: ALL_SAMPLES,
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
  only: undefined,
  attribution: undefined,
  core: undefined,
  pinned: undefined,
  playing: false,
  speed: 1000,
  task: { kind: "start", label: "Starting" },
  draft: undefined,
  importing: undefined,
  exporting: undefined,
  generating: undefined,
  stale: true,
  notices: [],
  showsImport: false,
  theme: "auto",
  compare: NO_COMPARISON,
  saved: NOTHING_SAVED,
};

export function createAppStore(initial: Partial<AppState> = {}): AppStore {
  return createStore<AppState>(() => ({ ...INITIAL, ...initial }));
}
