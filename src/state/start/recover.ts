/**
 * After a crash, the engine has a new instance. The app restores what it showed, or, if that crashes again,
 * opens the first example; a notice says so.
 */
import type { Restored } from "../../engine/client";
import type { EngineError } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import { count } from "../../model/shared/format";
import type { Screen } from "../../model/permalink/permalink";
import { defaultConfiguration } from "../config/configurations";
import type { Context } from "../context";
import { set } from "../context";
import { engineError, sentence, notify, notifyError } from "../notices";
import { beginScene, loadTimeline, openScene } from "../replay/scene";
import { isSameTrace } from "../import/sameTrace";
import { BUILT_IN_TRACES } from "../import/traces";

/** Screens that call the engine without the replay. */
const ASKING: readonly Screen[] = ["what-if", "compare"];

export async function recover(
  context: Context,
  error: EngineError,
): Promise<void> {
  // Every call in progress fails with the same crash, so recovery runs only once.
  if (context.recovering) return;
  context.recovering = true;
  context.import?.abort();
  context.generation?.abort();
  beginScene(context);
  const { screen } = context.store.getState();
  set(context, {
    task: { kind: "restore", label: "Restarting the simulator" },
    // Questions of these screens would run again, and one may have caused the crash.
    ...(ASKING.includes(screen) && { screen: "replay" as const }),
    importing: undefined,
    generating: undefined,
  });
  try {
    await goOn(context, error);
  } finally {
    context.recovering = false;
    set(context, { task: undefined });
  }
}

async function goOn(context: Context, error: EngineError): Promise<void> {
  const recovery = await context.engine.recovery();
  if (recovery === undefined) {
    notifyError(context, error);
    return;
  }
  if (
    recovery.outcome === "restored" &&
    (await survives(() => resume(context, recovery)))
  ) {
    const { cursor } = context.store.getState();
    const after = ` It was restarted with your trace and machine, at access ${count(cursor)}.`;
    notifyError(context, error, { after });
    return;
  }
  await startOver(context, error);
}

/** Shows the restored scene at the replay's access. */
async function resume(context: Context, restored: Restored): Promise<void> {
  const state = context.store.getState();
  const { cursor, configuration, past, future } = state;
  const { trace, workload, setup, machine, report } = restored;
  const index = Math.max(0, Math.min(cursor, trace.n_accesses - 1));
  const isEmpty = trace.n_accesses === 0;
  const snapshot = isEmpty
    ? undefined
    : await context.engine.call("seek", { index });
  const all = [configuration, ...past, ...future];
  set(context, {
    trace,
    builtIn: workload
      ? undefined
      : BUILT_IN_TRACES.find(({ title }) => title === trace.name)?.id,
    workload,
    hash: isSameTrace(trace, state.trace) ? state.hash : undefined,
    carried: isSameTrace(trace, state.trace) ? state.carried : undefined,
    // Work on copies of the trace continues.
    ...(state.sweep &&
      state.sweep.trace === state.trace &&
      isSameTrace(trace, state.trace) && { sweep: { ...state.sweep, trace } }),
    configuration: all.find((one) => one?.setup === setup) ?? configuration,
    machine,
    report,
    snapshot,
    cursor: index,
    window: { from: 0, to: trace.n_accesses },
    stale: false,
  });
  await loadTimeline(context);
}

/** Opens the first example, on the user's machine if that works, otherwise on the default one. */
async function startOver(context: Context, error: EngineError): Promise<void> {
  const state = context.store.getState();
  const [trace] = BUILT_IN_TRACES;
  for (const configuration of [
    state.configuration,
    defaultConfiguration(state),
  ]) {
    if (!configuration) continue;
    const open = () =>
      openScene(context, {
        source: { shipped: trace },
        configuration,
        openAt: "opening",
      });
    if (!(await survives(open))) continue;
    const after = ` Restarting with your trace failed, so “${trace.title}” was opened instead. Import your trace again to continue.`;
    notifyError(context, error, { after });
    return;
  }
  notify(context, {
    tone: "error",
    code: error.code,
    text: `${sentence(error.message)} It cannot be restarted: reload the page.`,
  });
}

/** Resolves to false if the work crashed again; the engine has recovered by then. */
async function survives(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    if (!isFatal(engineError(thrown))) throw thrown;
    return false;
  }
}
