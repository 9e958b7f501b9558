/** The cursor and the windows of the timelines. Both programs have one cursor and one window, in shares. */
import { isFatal } from "../../engine/errors";
import type { Timeline } from "../../engine/engine";
import { programAt } from "../../model/loop/loop";
import type { LoopSlot, LoopState } from "../../model/loop/loop";
import type { AttributionFilter } from "../../model/attribution/rows";
import { accessAt, shareOf, spanAt } from "../../model/loop/places";
import type { Context } from "../context";
import { set } from "../context";
import { engineError, notifyError } from "../notices";
import type { AppState } from "../store";
import { engineOf, letGo } from "./engines";
import { patchShown, programOf, SLOTS, WHOLE } from "./programs";

export interface TimelineRequest {
  /** The accesses of the program. */
  readonly n: number;
  readonly span: LoopState["span"];
  readonly only: AttributionFilter | undefined;
}

/** `undefined` if a newer request has replaced it. */
export async function requestTimeline(
  context: Context,
  slot: LoopSlot,
  { n, span, only }: TimelineRequest,
): Promise<Timeline | undefined> {
  const { bins, rows } = context.loopGrids.get(slot) ?? FIRST_GRID;
  const { from, to } = spanAt(span, n);
  return await ifCurrent(
    engineOf(context, slot).start("timeline", {
      from,
      to,
      bins: Math.max(1, Math.min(bins, to - from)),
      rows,
      ...(only && { only: { by: only.by, start: only.start, end: only.end } }),
    }),
  );
}

const FIRST_GRID: AppState["grid"] = { bins: 128, rows: 40 };

async function ifCurrent<T>(result: Promise<T>): Promise<T | undefined> {
  return await result.catch((thrown: unknown) => {
    if (engineError(thrown).code !== "cancelled") throw thrown;
    return undefined;
  });
}

/** Draws the timeline of a program again, for another window, grid or filter. */
export async function refreshTimeline(
  context: Context,
  slot: LoopSlot,
): Promise<void> {
  const { loop } = context.store.getState();
  const shown = programAt(loop, slot)?.shown;
  if (!loop || !shown || !isLoaded(context, slot)) return;
  const { n_accesses: n } = shown.trace;
  await attempt(context, slot, async () => {
    const { span } = loop;
    const { only } = shown;
    const timeline = await requestTimeline(context, slot, { n, span, only });
    if (timeline) patchShown(context, slot, shown, { timeline });
  });
}

/** While a program runs, its engine has another trace than the pictures. */
function isLoaded(context: Context, slot: LoopSlot): boolean {
  return (
    programOf(context, slot)?.run?.status !== "running" &&
    context.loopEngines.has(slot)
  );
}

/** A lost instance leaves the pictures as they are; the next run gets another one. */
async function attempt(
  context: Context,
  slot: LoopSlot,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const error = engineError(thrown);
    if (isFatal(error)) letGo(context, slot);
    else notifyError(context, error);
  }
}

/** Looks up the access at the cursor. */
export async function loadStep(
  context: Context,
  slot: LoopSlot,
): Promise<void> {
  const { loop } = context.store.getState();
  const shown = programAt(loop, slot)?.shown;
  if (!loop || !shown || !isLoaded(context, slot)) return;
  await attempt(context, slot, async () => {
    const index = accessAt(loop.at, shown.trace.n_accesses);
    const found = await ifCurrent(
      engineOf(context, slot).call("seek", { index }),
    );
    if (found) patchShown(context, slot, shown, { step: found.step });
  });
}

/** Moves the cursor to an access of a program, and to the same share of the other. */
export async function goToLoop(
  context: Context,
  slot: LoopSlot,
  access: number,
): Promise<void> {
  const { loop } = context.store.getState();
  const n = programAt(loop, slot)?.shown?.trace.n_accesses;
  if (!loop || n === undefined) return;
  const at = shareOf(Math.max(0, Math.min(access, n - 1)), n);
  set(context, { loop: { ...loop, at } });
  await Promise.all(SLOTS.map((each) => loadStep(context, each)));
}

/** Shows a part of a program, and the same part of the other; without a part the whole programs. */
export async function openLoopWindow(
  context: Context,
  slot: LoopSlot,
  part?: { readonly from: number; readonly to: number },
): Promise<void> {
  const { loop } = context.store.getState();
  const n = programAt(loop, slot)?.shown?.trace.n_accesses;
  if (!loop || !n) return;
  const span = part ? { from: part.from / n, to: part.to / n } : WHOLE.span;
  set(context, { loop: { ...loop, span } });
  await Promise.all(SLOTS.map((each) => refreshTimeline(context, each)));
}

export async function setLoopGrid(
  context: Context,
  slot: LoopSlot,
  grid: AppState["grid"],
): Promise<void> {
  const before = context.loopGrids.get(slot);
  if (before?.bins === grid.bins && before.rows === grid.rows) return;
  context.loopGrids.set(slot, grid);
  await refreshTimeline(context, slot);
}

/** Limits the timeline of a program to some of its accesses. */
export async function showOnlyOfLoop(
  context: Context,
  slot: LoopSlot,
  only: AttributionFilter | undefined,
): Promise<void> {
  const shown = programOf(context, slot)?.shown;
  if (!shown) return;
  patchShown(context, slot, shown, { only });
  await refreshTimeline(context, slot);
}
