/** Two machines next to each other on the open trace. The left one is the replay's. */
import { isFatal } from "../../engine/errors";
import { placed } from "../../model/shared/place";
import { withVirt } from "../../model/config/mapping";
import { sideOf } from "../../model/compare/sides";
import type { Side } from "../../model/compare/sides";
import { rightOf } from "./right";
import type { CompareState } from "./state";
import { sameConfiguration } from "../config/configurations";
import type { Context } from "../context";
import { set } from "../context";
import { goTo } from "../replay/cursor";
import { reportErrors } from "../reportErrors";
import { engineError, notifyError } from "../notices";
import { chooseView, showScreen } from "../screens";
import { configure } from "../config/setup";
import type { Configuration } from "../config/configurations";

/** The number of bins of the counts over time. */
const BINS = 240;

/** Runs and compares both machines, unless that is in progress or done. */
export async function comparePair(context: Context): Promise<void> {
  const state = context.store.getState();
  const { trace, configuration: left, stale, cursor, compare } = state;
  const right = rightOf(state);
  if (!trace || !left || !right || stale || trace.n_accesses === 0) return;
  const { pair } = compare;
  const asked = context.comparing;
  const isSame =
    asked?.trace === trace &&
    sameConfiguration(asked.left, left) &&
    sameConfiguration(asked.right, right);
  if (isSame && compare.status !== "failed") return;
  context.compare?.abort();
  context.comparing = { trace, left, right };
  const abort = new AbortController();
  context.compare = abort;
  const { signal } = abort;
  const { engine } = context;
  const show = (part: Partial<CompareState>) => {
    if (context.compare === abort) patch(context, part);
  };
  show({ status: "running", problem: undefined, note: undefined });
  await attempt(context, show, async () => {
    const view = await engine.start(
      "openPair",
      { left: left.setup, right: right.setup },
      { signal, onProgress: (progress) => show({ progress }) },
    );
    const isAnother = pair?.trace !== trace;
    const at = isAnother ? cursor : context.store.getState().compare.at;
    const steps = await engine.call("seekPair", { index: at });
    show({
      pair: { trace, left, right, view },
      at,
      steps,
      lockstep: undefined,
      regions: undefined,
    });
    show({
      lockstep: await engine.start("comparePair", { bins: BINS }, { signal }),
    });
    show({ regions: await engine.start("pairRegions", {}, { signal }) });
    show({ status: "idle", progress: undefined });
  });
}

/** Cancels a comparison; it starts again when it is needed. */
export function stopComparing(context: Context): void {
  if (context.store.getState().compare.status !== "running") return;
  context.compare?.abort();
  context.compare = undefined;
  context.comparing = undefined;
  patch(context, { status: "idle", progress: undefined });
}

/** Moves both sides to an access, or to the nearest end. */
export async function goToBoth(context: Context, index: number): Promise<void> {
  const { trace, compare } = context.store.getState();
  if (!trace || !compare.pair) return;
  const at = Math.min(Math.max(0, Math.round(index)), trace.n_accesses - 1);
  patch(context, { at, note: undefined });
  await attempt(context, noFailure(context), async () => {
    const steps = await context.engine.call("seekPair", { index: at });
    if (context.store.getState().compare.at === at) patch(context, { steps });
  });
}

/** Moves to the nearest access that ends differently; a note says if there is none. */
export async function jumpToDifference(
  context: Context,
  direction: 1 | -1,
): Promise<void> {
  context.compareFind?.abort();
  const abort = new AbortController();
  context.compareFind = abort;
  patch(context, { searching: direction, note: undefined });
  await attempt(context, noFailure(context), async () => {
    const { at } = context.store.getState().compare;
    const found = await context.engine.start(
      "findDifference",
      { index: at, direction },
      { signal: abort.signal },
    );
    if (found !== null) await goToBoth(context, found);
    else
      patch(context, {
        note: `No access ${direction === 1 ? "after" : "before"} this one ends differently.`,
      });
  });
  if (context.compareFind === abort) patch(context, { searching: undefined });
}

export function chooseRight(context: Context, right: Side): void {
  patch(context, { right, part: "pair" });
}

/**
 * Shows the walk of the replay's access beside that of the same machine without virtualisation. The walks come
 * first on the screen.
 */
export async function compareWithNative(context: Context): Promise<void> {
  const { configuration: left, cpus, cursor } = context.store.getState();
  if (!left) return;
  const os = withVirt(left.setup.os, "native");
  chooseRight(context, sideOf(cpus, { ...left, setup: { ...left.setup, os } }));
  patch(context, { at: cursor });
  showScreen(context, { screen: "compare" });
  chooseView(context, "first", "walks");
  await goToBoth(context, cursor);
}

/** Swaps the machine on the right with the replay's. */
export async function swapSides(context: Context): Promise<void> {
  const state = context.store.getState();
  const { configuration: left, cpus } = state;
  const right = rightOf(state);
  if (!left || !right) return;
  patch(context, { right: sideOf(cpus, left) });
  const rejected = await configure(context, right);
  if (!rejected) return;
  notifyError(context, rejected, { kind: "setup" });
  patch(context, { right: state.compare.right });
}

/** Shows a machine in the replay, at the current access. */
export async function openAsReplay(
  context: Context,
  configuration: Configuration,
): Promise<void> {
  const { trace, compare } = context.store.getState();
  const { at, pair } = compare;
  showScreen(context, {});
  const rejected = await configure(context, configuration);
  if (rejected) {
    notifyError(context, rejected, { kind: "setup" });
    showScreen(context, { screen: "compare" });
  } else if (pair && pair.trace === trace) await goTo(context, at);
}

export function patch(context: Context, part: Partial<CompareState>): void {
  const { compare } = context.store.getState();
  set(context, { compare: { ...compare, ...part } });
}

/** A failed search or seek only shows its error. */
function noFailure(context: Context) {
  return ({ problem }: Partial<CompareState>) =>
    patch(context, { note: problem });
}

/** A replaced call shows nothing; an error of the engine appears on the screen. */
async function attempt(
  context: Context,
  show: (part: Partial<CompareState>) => void,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const error = engineError(thrown);
    if (error.code === "cancelled") return;
    const { message, at } = error;
    show({
      status: "failed",
      progress: undefined,
      problem: placed(message, at),
    });
    if (isFatal(error))
      await reportErrors(context, () => Promise.reject(error));
  }
}
