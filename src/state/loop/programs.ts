/** Reads and changes the programs of the screen. */
import { programAt } from "../../model/loop/loop";
import type {
  LoopProgram,
  LoopPrograms,
  LoopShown,
  LoopSlot,
  LoopState,
} from "../../model/loop/loop";
import type { Context } from "../context";
import { set } from "../context";

/** The whole program, with the cursor in its middle. */
export const WHOLE: Pick<LoopState, "at" | "span"> = {
  at: 0.5,
  span: { from: 0, to: 1 },
};

export const SLOTS: readonly LoopSlot[] = [0, 1];

export function programOf(
  { store }: Context,
  slot: LoopSlot,
): LoopProgram | undefined {
  return programAt(store.getState().loop, slot);
}

export function patchProgram(
  context: Context,
  slot: LoopSlot,
  part: Partial<LoopProgram>,
): void {
  const { loop } = context.store.getState();
  if (!loop) return;
  const [first, second] = loop.programs;
  const programs: LoopPrograms =
    slot === 0
      ? second
        ? [{ ...first, ...part }, second]
        : [{ ...first, ...part }]
      : second
        ? [first, { ...second, ...part }]
        : [first];
  set(context, { loop: { ...loop, programs } });
}

/** Changes the pictures of a run, unless those of another run have replaced them. */
export function patchShown(
  context: Context,
  slot: LoopSlot,
  of: Pick<LoopShown, "report">,
  part: Partial<LoopShown>,
): void {
  const shown = programOf(context, slot)?.shown;
  if (shown?.report === of.report)
    patchProgram(context, slot, { shown: { ...shown, ...part } });
}
