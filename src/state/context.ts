/** The context of all actions: the store, the engine, and the tasks that newer ones replace. */
import type { Engine } from "../engine/calls";
import type { RecoveringEngine } from "../engine/client";
import type { Shipped } from "../model/experiments/shipped";
import type { CodeLanguage } from "../model/code/build";
import type { Draft, ProgramSlot } from "../model/code/code";
import { EngineError } from "../engine/engine";
import type { Permalink } from "../model/permalink/permalink";
import type { RemoteService } from "./import/remoteService";
import type { Settings } from "./start/settings";
import type { LearnService } from "./learn/service";
import type { Held, Holding } from "./code/held";
import type { CodeService } from "./code/service";
import type { KeptTrace } from "../model/import/keptTrace";
import type { KeptTraces } from "./import/kept";
import type { SavedRuns } from "./compare/savedRuns";
import type { MachineStore } from "./config/machineStore";
import type { MeasureService } from "./measure/service";
import type { StatKeeper } from "./measured/keptStat";
import type { Compared } from "./compare/state";
import type { BuiltInTrace } from "./import/traces";
import type { AppState, AppStore } from "./store";
import type { SurveyTask } from "./samples/task";

/** The frames of the screen, or of a test. */
export interface Clock {
  /** Milliseconds from any start. */
  now(): number;
  /** Milliseconds since 1970. */
  date(): number;
  /** Calls back at the next frame; the returned function cancels it. */
  frame(callback: () => void): () => void;
}

export interface Services {
  readonly engine: RecoveringEngine;
  /** Starts another engine, with a trace of its own. */
  readonly sideEngine: () => Engine;
  readonly fetchTrace: (trace: BuiltInTrace) => Promise<Blob>;
  /** The results of experiments that this version ships. */
  readonly shippedExperiments: () => Promise<Shipped>;
  readonly clock: Clock;
  /** A page of `pagewalk open` replaces it. */
  kept: KeptTraces;
  readonly savedRuns: SavedRuns;
  readonly machines: MachineStore;
  readonly keptStat: StatKeeper;
  readonly codeService: CodeService;
  /** Loads on use. */
  readonly learn: () => Promise<LearnService>;
  /** Loads on use. */
  readonly remote: () => Promise<RemoteService>;
  /** Loads on use. */
  readonly measure: () => Promise<MeasureService>;
  readonly settings: Settings;
}

/** One run of a machine, separate from the replay. */
export interface WhatIfRunner {
  /** Aborted when another machine is tried. */
  readonly isTrial: boolean;
}

export interface Context extends Services {
  readonly store: AppStore;
  /** The run that shows a trace on a machine; a newer one aborts it. */
  scene: AbortController;
  /** Settles when the engine has answered the latest change of the setup. */
  configuring: Promise<unknown>;
  /** The search for a saved run's trace; a newer one and any other scene abort it. */
  opening: AbortController | undefined;
  /** The access at which the scene opens, if not the cursor. */
  openAt: number | "opening" | undefined;
  /** A link that waits for the import of its file. */
  wantedFile: Permalink | undefined;
  /** The hash that a link names for the file being imported. */
  expected: string | undefined;
  /** The replay that was open when the reader asked for the first screen. */
  beforeWelcome: Permalink | undefined;
  /** The kept trace that was deleted last. */
  deleted: { readonly trace: KeptTrace; readonly file: Blob } | undefined;
  export: AbortController | undefined;
  find: AbortController | undefined;
  import: AbortController | undefined;
  fetching: AbortController | undefined;
  generation: AbortController | undefined;
  /** Experiments that wait or run, by id. */
  readonly experiments: Map<string, AbortController>;
  survey: SurveyTask | undefined;
  measuring: AbortController | undefined;
  /** All questions about the open trace, and among them the current trial. */
  asking: AbortController;
  trying: AbortController | undefined;
  /** The run that reports the progress of a machine, by the key of its setup. */
  readonly runners: Map<string, WhatIfRunner>;
  /** The sweep in progress. */
  sweep: AbortController | undefined;
  /** Questions in progress by key. */
  readonly questions: Map<string, AbortController>;
  /** The engine of the example of samples, so that the trace in the replay stays as it is. */
  samplesEngine: Engine | undefined;
  /** The unpacking of a link's counters; counters read meanwhile win. */
  unpacking: object | undefined;
  /** The runs, the engines and the resolutions of the programs on the screen Code. */
  readonly programRuns: Map<ProgramSlot, AbortController>;
  readonly programEngines: Map<ProgramSlot, Engine>;
  /** Missing while an engine simulates. */
  readonly programHeld: Map<ProgramSlot, Held>;
  readonly programHoldings: Map<ProgramSlot, Holding>;
  /** What uses the accesses that an engine holds, for a while: another simulation ends it. */
  readonly programWork: Map<ProgramSlot, AbortController>;
  readonly programGrids: Map<ProgramSlot, AppState["grid"]>;
  /** What was written last in each language. */
  readonly drafts: Map<CodeLanguage, Draft>;
  /** The download of the compiler. */
  compilerLoad: AbortController | undefined;
  /** The comparison in progress, a search for a difference, and the runs of all models. */
  compare: AbortController | undefined;
  /** The latest comparison, finished or requested. */
  comparing: Compared | undefined;
  compareFind: AbortController | undefined;
  models: AbortController | undefined;
  /** Whether a replay is open or opening. */
  started: boolean;
  /** At most one seek is in progress; the latest request waits here. */
  seeking: boolean;
  wanted: number | undefined;
  recovering: boolean;
  nextNotice: number;
}

export function createContext(store: AppStore, services: Services): Context {
  return {
    ...services,
    store,
    scene: new AbortController(),
    configuring: Promise.resolve(),
    opening: undefined,
    openAt: undefined,
    wantedFile: undefined,
    expected: undefined,
    beforeWelcome: undefined,
    deleted: undefined,
    export: undefined,
    find: undefined,
    import: undefined,
    fetching: undefined,
    generation: undefined,
    experiments: new Map(),
    survey: undefined,
    measuring: undefined,
    asking: new AbortController(),
    trying: undefined,
    runners: new Map(),
    sweep: undefined,
    questions: new Map(),
    samplesEngine: undefined,
    unpacking: undefined,
    programRuns: new Map(),
    programEngines: new Map(),
    programHeld: new Map(),
    programHoldings: new Map(),
    programWork: new Map(),
    programGrids: new Map(),
    drafts: new Map(),
    compilerLoad: undefined,
    compare: undefined,
    comparing: undefined,
    compareFind: undefined,
    models: undefined,
    started: false,
    seeking: false,
    wanted: undefined,
    recovering: false,
    nextNotice: 1,
  };
}

export function set({ store }: Context, part: Partial<AppState>): void {
  store.setState(part);
}

/** Marks work that a newer request replaced: its late results are not shown. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new EngineError("cancelled", "Replaced by a newer request.");
}
