/** Questions about other machines. Their answers do not change the replay, and are kept until another trace opens. */
import { EngineError } from "../../engine/engine";
import type { Setup } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import type { Question } from "../../engine/generated/Question";
import type { RunReport } from "../../engine/generated/RunReport";
import { placed } from "../../model/shared/place";
import { changeOf, keyOf } from "../../model/whatif/questions";
import type {
  Asked,
  WhatIfChange,
  WhatIfState,
  WhatIfView,
} from "../../model/whatif/questions";
import type { Context, WhatIfRunner } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { engineError, notifyError } from "../notices";
import { configure } from "../config/setup";

/** The number of changes that can be undone. */
const DEPTH = 100;
/** The number of remembered runs of other machines. */
const RUNS = 200;

const state = ({ store }: Context) => store.getState();

function put(context: Context, part: Partial<WhatIfState>): void {
  set(context, { whatIf: { ...state(context).whatIf, ...part } });
}

/** The answers for the open trace; answers for another trace are discarded and stopped. */
function current(context: Context): WhatIfState {
  const { trace, whatIf } = state(context);
  if (whatIf.trace === trace) return whatIf;
  stopAsking(context);
  put(context, { trace, answers: {}, runs: {} });
  return state(context).whatIf;
}

/** Cancels all questions; answers stay. */
function stopAsking(context: Context): void {
  context.asking.abort();
  context.trying?.abort();
  context.asking = new AbortController();
  context.runners.clear();
}

/** Starts questions that are neither answered nor in progress. */
export function ask(context: Context, question: Question): Promise<void> {
  const key = keyOf(question);
  const before = current(context).answers[key];
  if (before?.status === "running" || before?.status === "done")
    return Promise.resolve();
  const own = new AbortController();
  context.questions.set(key, own);
  const signal = AbortSignal.any([context.asking.signal, own.signal]);
  return follow(context, signal, {
    work: (options) => context.engine.start("analyse", question, options),
    notify: (asked) => {
      if (asked.status !== "running" && context.questions.get(key) === own)
        context.questions.delete(key);
      put(context, {
        answers: { ...state(context).whatIf.answers, [key]: asked },
      });
    },
  });
}

/** Cancels some of the questions in progress; the others continue. */
export function cancelAsked(
  { questions }: Context,
  cancelled: readonly Question[],
): void {
  for (const question of cancelled) questions.get(keyOf(question))?.abort();
}

/**
 * Runs the trace on another machine, unless the result is known. If several trials follow each other, only
 * the newest continues.
 */
export function tryRun(
  context: Context,
  setup: Setup,
  isTrial: boolean,
): Promise<void> {
  const key = keyOf(setup);
  const { runs } = current(context);
  const before = runs[key];
  if (isTrial) context.trying?.abort();
  if (before?.status === "done") return Promise.resolve();
  const other = context.runners.get(key);
  // A trial can be aborted, so a caller that needs more than a trial starts its own run.
  if (other?.isTrial === false && !isTrial) return Promise.resolve();
  const own: WhatIfRunner = { isTrial };
  if (other?.isTrial !== false) context.runners.set(key, own);
  let signal = context.asking.signal;
  if (isTrial) {
    context.trying = new AbortController();
    signal = AbortSignal.any([signal, context.trying.signal]);
  }
  return follow<RunReport>(context, signal, {
    isApart: !isTrial,
    // The replay's worker answers a trial soonest; other runs have their own workers.
    work: (options) =>
      isTrial
        ? context.engine.start("runWhole", setup, options)
        : runApart(context, setup, options),
    notify: (asked) => {
      const isOwner = context.runners.get(key) === own;
      if (isOwner && asked.status !== "running") context.runners.delete(key);
      // Equal setups give equal counts, so one of several runs reports the progress.
      if (asked.status !== "done") {
        const isDone = state(context).whatIf.runs[key]?.status === "done";
        if (!isOwner || isDone) return;
      }
      const kept = Object.entries(state(context).whatIf.runs)
        .filter(([other]) => other !== key)
        .slice(-RUNS);
      put(context, { runs: { ...Object.fromEntries(kept), [key]: asked } });
    },
  });
}

async function runApart(
  { engine }: Context,
  setup: Setup,
  options: Parameters<Following<RunReport>["work"]>[0],
): Promise<RunReport> {
  const [outcome] = await engine.many("runWhole", [setup], options);
  if (outcome && "result" in outcome) return outcome.result;
  throw (
    outcome?.error ??
    new EngineError("cancelled", "The simulation did not run.")
  );
}

interface Following<T> {
  /** Uses separate workers, so that the replay's survives if one crashes. */
  readonly isApart?: boolean;
  readonly work: (options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: {
      readonly done: number;
      readonly total?: number;
    }) => void;
  }) => Promise<T>;
  readonly notify: (asked: Asked<T>) => void;
}

function follow<T>(
  context: Context,
  signal: AbortSignal,
  { isApart = false, work, notify }: Following<T>,
): Promise<void> {
  const { trace } = state(context).whatIf;
  const notifyIfCurrent = (asked: Asked<T>) => {
    if (state(context).whatIf.trace === trace) notify(asked);
  };
  notify({ status: "running", done: 0 });
  return reportErrors(context, async () => {
    try {
      const value = await work({
        signal,
        onProgress: ({ done, total }) => {
          if (!signal.aborted)
            notifyIfCurrent({
              status: "running",
              done: total ? done / total : 0,
            });
        },
      });
      notifyIfCurrent({ status: "done", value });
    } catch (thrown) {
      const error = engineError(thrown);
      notifyIfCurrent(
        error.code === "cancelled"
          ? { status: "cancelled" }
          : { status: "failed", why: placed(error.message, error.at) },
      );
      if (isFatal(error) && !isApart) throw error;
    }
  });
}

/** Shows other accesses, or another structure. */
export function chooseWhatIf(
  context: Context,
  part: Partial<Omit<WhatIfView, "change">>,
): void {
  put(context, { view: { ...state(context).whatIf.view, ...part } });
}

/**
 * Changes the machine or the pages; `moving` names the slider while it is held, so that its steps are undone
 * together.
 */
export function changeWhatIf(
  context: Context,
  to: Pick<Setup, "machine" | "os">,
  moving?: string,
): void {
  const { configuration, whatIf } = state(context);
  if (!configuration) return;
  const { view, past } = whatIf;
  const before = view.change;
  const change = changeOf(configuration.setup, to, configuration.cpu);
  if (keyOf(change ?? {}) === keyOf(before ?? {})) return;
  const isStep = moving !== undefined && moving === whatIf.moving;
  put(context, {
    view: withChange(context, view, change),
    past: isStep ? past : [...past, before].slice(-DEPTH),
    future: [],
    moving,
  });
}

/** Without a change there is no trial. */
function withChange(
  { trying }: Context,
  view: WhatIfView,
  change: WhatIfChange | undefined,
): WhatIfView {
  const next = { ...view, ...(change && { change }) };
  if (change) return next;
  trying?.abort();
  Reflect.deleteProperty(next, "change");
  return next;
}

/** The user released the slider. */
export function restWhatIf(context: Context): void {
  if (state(context).whatIf.moving !== undefined)
    put(context, { moving: undefined });
}

export function undoWhatIf(context: Context): void {
  const { past, future, view } = state(context).whatIf;
  if (past.length === 0) return;
  put(context, {
    view: withChange(context, view, past.at(-1)),
    past: past.slice(0, -1),
    future: [view.change, ...future],
    moving: undefined,
  });
}

export function redoWhatIf(context: Context): void {
  const { past, future, view } = state(context).whatIf;
  if (future.length === 0) return;
  put(context, {
    view: withChange(context, view, future[0]),
    past: [...past, view.change],
    future: future.slice(1),
    moving: undefined,
  });
}

/** Opens a machine in the replay; `cpu` is its model, if that differs. The replay's undo reverts it. */
export async function openWhatIf(
  context: Context,
  to: Pick<Setup, "machine" | "os">,
  cpu?: string,
): Promise<void> {
  const { machine, os } = to;
  const { configuration } = context.store.getState();
  if (configuration)
    await openSetup(context, { ...configuration.setup, machine, os }, cpu);
}

/** Opens a row that has its own cores and part of the trace. */
export async function openSetup(
  context: Context,
  setup: Setup,
  cpu?: string,
): Promise<void> {
  const { configuration, whatIf } = state(context);
  if (!configuration) return;
  set(context, { screen: "replay" });
  const view = withChange(context, whatIf.view, undefined);
  put(context, { view, past: [], future: [], moving: undefined });
  const rejected = await configure(context, {
    cpu: cpu ?? configuration.cpu,
    setup,
  });
  if (!rejected) return;
  notifyError(context, rejected, { kind: "setup" });
  const { past, future } = whatIf;
  put(context, { view: whatIf.view, past, future });
  set(context, { screen: "what-if" });
}
