/** What the actions share: the store, the engine, and the tasks that a newer one replaces. */
import type { RecoveringEngine } from "../engine/client";
import { EngineError } from "../engine/engine";
import type { Permalink } from "../model/permalink/permalink";
import type { LoopService } from "./loop/service";
import type { KeptTrace, KeptTraces } from "./import/kept";
import type { SavedRuns } from "./compare/savedRuns";
import type { StatKeeper } from "./measured/keptStat";
import type { Compared } from "./compare/state";
import type { BuiltInTrace } from "./import/traces";
import type { AppState, AppStore } from "./store";
import type { SurveyTask } from "./samples/task";

/** Frames of the screen, or of a test. */
export interface Clock {
  /** Milliseconds, from any zero. */
  now(): number;
  /** Milliseconds since 1970. */
  date(): number;
  /** Calls back at the next frame; the result cancels it. */
  frame(callback: () => void): () => void;
}

export interface Services {
  readonly engine: RecoveringEngine;
  readonly fetchTrace: (trace: BuiltInTrace) => Promise<Blob>;
  readonly clock: Clock;
  readonly kept: KeptTraces;
  readonly savedRuns: SavedRuns;
  readonly keptStat: StatKeeper;
  readonly loops: LoopService;
}

/** One run of a machine that is asked for beside the replay. */
export interface WhatIfRunner {
  /** It ends when another machine is tried. */
  readonly isTrial: boolean;
}

export interface Context extends Services {
  readonly store: AppStore;
  /** The run that shows a trace on a machine; a newer one aborts it. */
  scene: AbortController;
  /** Ends when the engine has answered the change of the setup that was asked for last. */
  configuring: Promise<unknown>;
  /** A saved run whose trace is looked for; a newer one and any other scene abort it. */
  opening: AbortController | undefined;
  /** Where the scene opens, if not at the cursor. */
  openAt: number | "opening" | undefined;
  /** The link whose file has to be imported before it can be shown. */
  wantedFile: Permalink | undefined;
  /** The hash that a link gives for the file that is being imported. */
  expected: string | undefined;
  /** The kept trace that was deleted last. */
  deleted: { readonly trace: KeptTrace; readonly file: Blob } | undefined;
  export: AbortController | undefined;
  find: AbortController | undefined;
  import: AbortController | undefined;
  generation: AbortController | undefined;
  /** Experiments that wait or run, by id. */
  readonly experiments: Map<string, AbortController>;
  survey: SurveyTask | undefined;
  /** All that is asked beside the replay of the trace that is open; and of it the machine that is tried now. */
  asking: AbortController;
  trying: AbortController | undefined;
  /** The run that may tell how far a machine is, by the key of its setup. */
  readonly runners: Map<string, WhatIfRunner>;
  /** The sweep under way. */
  sweep: AbortController | undefined;
  /** Each question of these that is under way, by its key. */
  readonly questions: Map<string, AbortController>;
  /** The counters of a link that are unpacked; whatever is read meanwhile stays. */
  unpacking: object | undefined;
  loopRun: AbortController | undefined;
  /** The comparison under way, a search for a difference, and the runs of all models. */
  compare: AbortController | undefined;
  /** What is compared, or was asked to be last. */
  comparing: Compared | undefined;
  compareFind: AbortController | undefined;
  models: AbortController | undefined;
  /** A replay is open, or will be. */
  started: boolean;
  /** At most one seek is under way; what is wanted meanwhile waits here. */
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
    deleted: undefined,
    export: undefined,
    find: undefined,
    import: undefined,
    generation: undefined,
    experiments: new Map(),
    survey: undefined,
    asking: new AbortController(),
    trying: undefined,
    runners: new Map(),
    sweep: undefined,
    questions: new Map(),
    unpacking: undefined,
    loopRun: undefined,
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

/** For work that was overtaken: what comes back late is not shown. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineError("cancelled", "Overtaken.");
}
