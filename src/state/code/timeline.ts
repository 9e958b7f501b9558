/** The cursor and the windows of the timelines. Both programs have one cursor and one window, in shares. */
import { isFatal } from "../../engine/errors";
import type { Timeline } from "../../engine/engine";
import { programAt } from "../../model/code/code";
import type { ProgramSlot, CodeState } from "../../model/code/code";
import { accessFilter } from "../replay/accessFilter";
import type { AttributionFilter } from "../../model/attribution/rows";
import { accessAt, shareOf, spanAt } from "../../model/code/places";
import type { Context } from "../context";
import { set } from "../context";
import { engineError, notifyError } from "../notices";
import type { AppState } from "../store";
import { engineOf, letGo } from "./engines";
import { patchShown, programOf, SLOTS, WHOLE } from "./programs";
import { holdShown, isRunning } from "./shown";

export interface TimelineRequest {
  /** The accesses of the program. */
  readonly n: number;
  readonly span: CodeState["span"];
  readonly only: AttributionFilter | undefined;
}

/** `undefined` if a newer request has replaced it. */
export async function requestTimeline(
  context: Context,
  slot: ProgramSlot,
  { n, span, only }: TimelineRequest,
): Promise<Timeline | undefined> {
  const { bins, rows } = context.programGrids.get(slot) ?? FIRST_GRID;
  const { from, to } = spanAt(span, n);
  const filter = accessFilter(only);
  return await ifCurrent(
    engineOf(context, slot).start("timeline", {
      from,
      to,
      bins: Math.max(1, Math.min(bins, to - from)),
      rows,
      ...(filter && { only: filter }),
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
  slot: ProgramSlot,
): Promise<void> {
  const { codeScreen } = context.store.getState();
  const shown = programAt(codeScreen, slot)?.shown;
  if (!codeScreen || !shown || isRunning(context, slot)) return;
  const { n_accesses: n } = shown.trace;
  await attempt(context, slot, async () => {
    await holdShown(context, slot, shown);
    const { span } = codeScreen;
    const { only } = shown;
    const timeline = await requestTimeline(context, slot, { n, span, only });
    if (timeline) patchShown(context, slot, shown, { timeline });
  });
}

/** A lost instance leaves the pictures as they are; what is asked next gets another one. */
export async function attempt(
  context: Context,
  slot: ProgramSlot,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const error = engineError(thrown);
    if (isFatal(error)) letGo(context, slot);
    else if (error.code !== "cancelled") notifyError(context, error);
  }
}

/** Looks up the access at the cursor. */
export async function loadStep(
  context: Context,
  slot: ProgramSlot,
): Promise<void> {
  const { codeScreen } = context.store.getState();
  const shown = programAt(codeScreen, slot)?.shown;
  if (!codeScreen || !shown || isRunning(context, slot)) return;
  await attempt(context, slot, async () => {
    await holdShown(context, slot, shown);
    const index = accessAt(codeScreen.at, shown.trace.n_accesses);
    const found = await ifCurrent(
      engineOf(context, slot).call("seek", { index }),
    );
    if (found) patchShown(context, slot, shown, { step: found.step });
  });
}

/** Moves the cursor to an access of a program, and to the same share of the other. */
export async function goToOfProgram(
  context: Context,
  slot: ProgramSlot,
  access: number,
): Promise<void> {
  const { codeScreen } = context.store.getState();
  const n = programAt(codeScreen, slot)?.shown?.trace.n_accesses;
  if (!codeScreen || n === undefined) return;
  const at = shareOf(Math.max(0, Math.min(access, n - 1)), n);
  set(context, { codeScreen: { ...codeScreen, at } });
  await Promise.all(SLOTS.map((each) => loadStep(context, each)));
}

/** Shows a part of a program, and the same part of the other; without a part the whole programs. */
export async function openProgramWindow(
  context: Context,
  slot: ProgramSlot,
  part?: { readonly from: number; readonly to: number },
): Promise<void> {
  const { codeScreen } = context.store.getState();
  const n = programAt(codeScreen, slot)?.shown?.trace.n_accesses;
  if (!codeScreen || !n) return;
  const span = part ? { from: part.from / n, to: part.to / n } : WHOLE.span;
  set(context, { codeScreen: { ...codeScreen, span } });
  await Promise.all(SLOTS.map((each) => refreshTimeline(context, each)));
}

export async function setProgramGrid(
  context: Context,
  slot: ProgramSlot,
  grid: AppState["grid"],
): Promise<void> {
  const before = context.programGrids.get(slot);
  if (before?.bins === grid.bins && before.rows === grid.rows) return;
  context.programGrids.set(slot, grid);
  await refreshTimeline(context, slot);
}

/** Limits the timeline of a program to some of its accesses. */
export async function showOnlyOfProgram(
  context: Context,
  slot: ProgramSlot,
  only: AttributionFilter | undefined,
): Promise<void> {
  const shown = programOf(context, slot)?.shown;
  if (!shown) return;
  patchShown(context, slot, shown, { only });
  await refreshTimeline(context, slot);
}
