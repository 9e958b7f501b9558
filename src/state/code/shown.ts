/** Work on the accesses of a program's pictures: the engine holds them, and counts them by line. */
import { cancelled, isFatal } from "../../engine/errors";
import { sameSetup } from "../../model/code/code";
import type { ProgramShown, ProgramSlot } from "../../model/code/code";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { stopIfAborted } from "../context";
import { engineError } from "../notices";
import { engineOf, letGo, occupy, simulateOn } from "./engines";
import { patchProgram, patchShown, programOf } from "./programs";

/** While a program runs, its engine may have another trace than the pictures. */
export function isRunning(context: Context, slot: ProgramSlot): boolean {
  return programOf(context, slot)?.run?.status === "running";
}

/**
 * Makes the engine hold the accesses of the pictures. After a run that was cancelled or has failed, it holds those of
 * that run. Rejects with `cancelled` if a run begins.
 */
export async function holdShown(
  context: Context,
  slot: ProgramSlot,
  shown: ProgramShown,
): Promise<void> {
  const held = context.programHeld.get(slot);
  if (held?.file === shown.file && sameSetup(held.setup, shown.setup)) return;
  const holding = context.programHoldings.get(slot);
  if (holding?.report === shown.report) await holding.done;
  else if (isRunning(context, slot)) throw cancelled();
  else await simulateAgain(context, slot, shown);
}

async function simulateAgain(
  context: Context,
  slot: ProgramSlot,
  shown: ProgramShown,
): Promise<void> {
  const signal = occupy(context, slot);
  const done = simulateOn(context, slot, {
    accesses: shown,
    setup: shown.setup,
    known: shown.trace,
    signal,
  }).then(() => stopIfAborted(signal));
  const holding = { report: shown.report, done };
  context.programHoldings.set(slot, holding);
  try {
    await done;
  } finally {
    if (context.programHoldings.get(slot) === holding)
      context.programHoldings.delete(slot);
  }
  // The simulation has ended the count.
  void countLines(context, slot, shown);
}

/** Counts the pictures by line, if that was ended too early. */
export async function countShown(
  context: Context,
  slot: ProgramSlot,
): Promise<void> {
  const program = programOf(context, slot);
  const { shown } = program ?? {};
  if (!shown || shown.attribution || program?.counting) return;
  if (isRunning(context, slot)) return;
  try {
    await holdShown(context, slot, shown);
    await countLines(context, slot, shown);
  } catch (thrown) {
    failCount(context, slot, thrown);
  }
}

/** Counts the accesses that the engine holds, which are those of the pictures. */
export async function countLines(
  context: Context,
  slot: ProgramSlot,
  shown: ProgramShown,
): Promise<void> {
  const now = programOf(context, slot);
  if (now?.shown?.report !== shown.report) return;
  if (now.shown.attribution || now.counting) return;
  const signal = occupy(context, slot);
  const isCurrent = () =>
    !signal.aborted && programOf(context, slot)?.shown?.report === shown.report;
  patchProgram(context, slot, { counting: { done: 0 } });
  try {
    const attribution = await engineOf(context, slot).start(
      "attribution",
      {},
      {
        signal,
        onProgress: ({ done, total }) => {
          if (isCurrent())
            patchProgram(context, slot, { counting: { done, total } });
        },
      },
    );
    patchShown(context, slot, shown, { attribution });
  } catch (thrown) {
    failCount(context, slot, thrown);
  } finally {
    if (context.programWork.get(slot)?.signal === signal)
      patchProgram(context, slot, { counting: undefined });
  }
}

/** A lost engine is replaced at the next run. */
function failCount(context: Context, slot: ProgramSlot, thrown: unknown): void {
  const error = engineError(thrown);
  if (error.code === "cancelled") return;
  if (isFatal(error)) letGo(context, slot);
  const problem = { message: placed(error.message, error.at) };
  patchProgram(context, slot, { run: { status: "failed", problem } });
}
