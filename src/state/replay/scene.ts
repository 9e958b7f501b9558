/** A scene is a trace on a machine: run, seek, timeline, and then it is on the screen. */
import { EngineError } from "../../engine/engine";
import type { ImportChoices, Workload } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TraceView } from "../../engine/generated/TraceView";
import { accessFilter } from "./accessFilter";
import { isShortened, teaches } from "../../model/replay/opening";
import { simulatedAt } from "../../model/shared/runWindow";
import type { Span } from "../../model/timeline/counts";
import { sameConfiguration } from "../config/configurations";
import type { Context } from "../context";
import { set, stopIfAborted } from "../context";
import { engineError } from "../notices";
import { followRecording } from "../config/recorded";
import { runSpanOf, withWindow } from "./runWindow";
import type { AppState, TraceWindow } from "../store";
import type { KeptTrace } from "../../model/import/keptTrace";
import type { Carried } from "../../model/permalink/permalink";
import { builtInTrace } from "../import/traces";
import type { BuiltInTrace } from "../import/traces";
import type { Configuration } from "../config/configurations";

/**
 * Parts of the trace to search for a good opening access, and how many walks to look at in each. Faults are
 * walks too, and a program that starts to use memory has only those, so late parts come first. The result
 * does not depend on the speed of the search.
 */
const OPENING_PLACES = [5 / 6, 2 / 3, 1 / 2, 1 / 3];
const OPENING_TRIES = 4;

/** The time limit of this search in milliseconds. */
const OPENING_MS = 1000;

/** Aborts the current scene and starts another. */
export function beginScene(context: Context): AbortSignal {
  context.scene.abort();
  context.opening?.abort();
  context.find?.abort();
  context.scene = new AbortController();
  context.wanted = undefined;
  set(context, { stale: true, playing: false });
  return context.scene.signal;
}

/** Makes this the open trace of the scene; nothing that belongs to the previous trace stays on the screen. */
export function showTrace(
  context: Context,
  trace: TraceView,
  part: Partial<AppState> = {},
): void {
  set(context, {
    trace,
    builtIn: undefined,
    workload: undefined,
    hash: undefined,
    carried: undefined,
    report: undefined,
    snapshot: undefined,
    timeline: undefined,
    window: { from: 0, to: 0 },
    ...part,
  });
}

/** A trace that is kept in the browser. */
export interface Kept {
  readonly trace: KeptTrace;
  readonly file: Blob;
}

/** A small file that a link carries. */
export interface LinkedText {
  readonly file: Blob;
  readonly name: string;
  /** How to read it. */
  readonly choices: ImportChoices;
  /** It as the link carries it. */
  readonly data: string;
}

/** The source of a trace, if it is not a file of the user's. */
export type TraceSource =
  | { readonly shipped: BuiltInTrace }
  | { readonly workload: Workload; readonly accesses?: number }
  | { readonly kept: Kept }
  | { readonly text: LinkedText };

export interface Opening {
  readonly source: TraceSource;
  readonly configuration: Configuration;
  readonly openAt: number | "opening";
  /** Undo can restore the previous machine. */
  readonly isUndoable?: boolean;
  /** Whether a link names the mapping, so that page sizes of a recording do not replace it. */
  readonly isMapped?: boolean;
}

/**
 * Opens an example, a generated trace or a kept one on a machine; `undefined` if it is no longer `wanted`.
 */
export async function openScene(
  context: Context,
  {
    source,
    configuration,
    openAt,
    isUndoable = false,
    isMapped = false,
  }: Opening,
  wanted?: AbortSignal,
): Promise<void> {
  const { engine } = context;
  // A file that cannot be fetched is reported before the machine changes.
  const make = await maker(context, source).catch(unopened);
  if (wanted) stopIfAborted(wanted);
  const machine = await engine.call("configure", configuration.setup);
  const view = await make().catch(unopened);
  context.openAt = openAt;
  const signal = beginScene(context);
  const { configuration: before, past, future } = context.store.getState();
  const isPast = isUndoable && before && !sameMachine(before, configuration);
  showTrace(context, view, {
    // Windows belong to the previous trace.
    past: (isPast ? [...past, before] : past).map(withoutWindow),
    future: isPast ? [] : future.map(withoutWindow),
    builtIn: "shipped" in source ? source.shipped.id : undefined,
    workload: "workload" in source ? source.workload : undefined,
    hash: "kept" in source ? source.kept.trace.hash : undefined,
    carried: carriedBy(source),
    configuration,
    showsImport: false,
  });
  const mapped = await followRecording(context, view, isMapped);
  await playScene(context, signal, mapped ?? machine);
}

/** The trace is at fault, not the machine. */
export class UnopenedTrace extends EngineError {}

function unopened(thrown: unknown): never {
  const error = engineError(thrown);
  if (isFatal(error) || error.code === "cancelled") throw error;
  throw new UnopenedTrace(error.code, error.message, error.at);
}

const withoutWindow = (configuration: Configuration) =>
  withWindow(configuration, undefined);

function sameMachine(a: Configuration, b: Configuration): boolean {
  return sameConfiguration(withoutWindow(a), withoutWindow(b));
}

function carriedBy(source: TraceSource): Carried | undefined {
  if ("text" in source) return { data: source.text.data };
  return "kept" in source ? source.kept.trace.carried : undefined;
}

/** Makes the trace the engine's current one. */
async function maker(
  { engine, fetchTrace }: Context,
  source: TraceSource,
): Promise<() => Promise<TraceView>> {
  if ("workload" in source)
    return () => engine.start("generate", source.workload);
  if ("kept" in source) {
    const { trace, file } = source.kept;
    return () => engine.start("import", { file, name: trace.name });
  }
  if ("text" in source) {
    const { file, name, choices } = source.text;
    return () => engine.start("import", { file, name, ...choices });
  }
  const file = await fetchTrace(source.shipped);
  const { title: name, isProfile } = source.shipped;
  return () =>
    isProfile
      ? engine.start("import", { file, name })
      : engine.call("open", { file, name });
}

/**
 * Runs the engine's trace on the engine's machine and shows it. `machine` is its new view, if it was
 * configured for this scene.
 */
export async function playScene(
  context: Context,
  signal: AbortSignal,
  machine: MachineView | undefined = context.store.getState().machine,
): Promise<void> {
  const { engine } = context;
  set(context, { task: { kind: "run", label: "Simulating" } });
  const report = await engine.start(
    "run",
    {},
    {
      signal,
      onProgress: (progress) => {
        if (signal.aborted) return;
        const total = context.store.getState().trace?.n_accesses;
        set(context, {
          task: {
            kind: "run",
            label: "Simulating",
            progress: { ...progress, ...(total !== undefined && { total }) },
          },
        });
      },
    },
  );
  stopIfAborted(signal);
  if (context.store.getState().trace?.n_accesses === 0) {
    showNothing(context, machine);
    return;
  }
  const index = await openingIndex(context);
  stopIfAborted(signal);
  const snapshot = await engine.call("seek", { index });
  stopIfAborted(signal);
  context.openAt = undefined;
  const { trace, window } = context.store.getState();
  set(context, {
    machine,
    report,
    snapshot,
    cursor: index,
    window: fitting(window, trace?.n_accesses ?? 0),
    stale: false,
    task: undefined,
  });
  await loadTimeline(context, signal);
}

/** Samples without data addresses have no access to show. */
function showNothing(context: Context, machine: MachineView | undefined): void {
  context.openAt = undefined;
  set(context, {
    machine,
    report: undefined,
    snapshot: undefined,
    timeline: undefined,
    cursor: 0,
    window: { from: 0, to: 0 },
    stale: false,
    task: undefined,
  });
}

/**
 * Requests the timeline of the current window. A newer request replaces this one, without an error: it brings
 * the timeline.
 */
export async function loadTimeline(
  context: Context,
  signal: AbortSignal = context.scene.signal,
): Promise<void> {
  const { window, grid, only, trace } = context.store.getState();
  if (window.to <= window.from) return;
  const filter = accessFilter(only?.trace === trace ? only?.filter : undefined);
  const timeline = await context.engine
    .start("timeline", {
      from: window.from,
      to: window.to,
      bins: Math.max(1, Math.min(grid.bins, window.to - window.from)),
      rows: grid.rows,
      ...(filter && { only: filter }),
    })
    .catch((thrown: unknown) => {
      if (engineError(thrown).code !== "cancelled") throw thrown;
    });
  if (timeline && signal === context.scene.signal) set(context, { timeline });
}

function fitting(window: TraceWindow, n: number): TraceWindow {
  const fits = window.from < window.to && window.to <= n;
  return fits ? window : { from: 0, to: n };
}

async function openingIndex(context: Context): Promise<number> {
  const span = runSpanOf(context.store.getState());
  if (context.openAt === "opening") return opening(context, span.counted);
  const { cursor } = context.store.getState();
  return simulatedAt(span, context.openAt ?? cursor);
}

/** A trace with fewer accesses opens at its first: it is read from the beginning. */
const SHORT_TRACE = 1000;

/**
 * The access at which a trace opens: a walk that teaches if the trace names one. In a long trace it is otherwise a late walk without a
 * page fault that a walk cache shortened. Start-up is over there, and every part of the pictures has something to
 * show.
 */
async function opening(context: Context, { from, to }: Span): Promise<number> {
  const { builtIn = "" } = context.store.getState();
  const named = builtInTrace(builtIn)?.teachesAt;
  if (named !== undefined && named >= from && named < to) {
    // Another machine may have the page in its TLB.
    const { step } = await context.engine.call("seek", { index: named });
    if (teaches(step)) return named;
  }
  const n = to - from;
  if (n < SHORT_TRACE) return from;
  const best: Best = {
    index: from + Math.max(0, Math.floor(n / 3)),
    isWalk: false,
  };
  const signal = AbortSignal.timeout(OPENING_MS);
  try {
    for (const place of OPENING_PLACES)
      if (await search(context, from + Math.floor(n * place), signal, best))
        break;
  } catch (thrown) {
    // The search can take long in a trace with few walks. After the time limit, the best access so far is used.
    if (engineError(thrown).code !== "cancelled") throw thrown;
  }
  return best.index;
}

/** The best access so far, and whether it walks. */
interface Best {
  index: number;
  isWalk: boolean;
}

/** Returns whether the search found a perfect access. */
async function search(
  { engine }: Context,
  start: number,
  signal: AbortSignal,
  best: Best,
): Promise<boolean> {
  let from = start;
  for (let tries = 0; tries < OPENING_TRIES; tries++) {
    const found = await engine.start(
      "find",
      { index: from, direction: 1, target: { what: "walk" } },
      { signal },
    );
    if (found === null) return false;
    const { step } = await engine.call("seek", { index: found });
    const isGood = isShortened(step);
    if (isGood || !best.isWalk)
      Object.assign(best, { index: found, isWalk: true });
    if (isGood) return true;
    from = found;
  }
  return false;
}
