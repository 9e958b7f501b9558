/** Reads and changes the programs of the screen. */
import { programAt } from "../../model/code/code";
import type {
  CodeProgram,
  CodePrograms,
  ProgramShown,
  ProgramSlot,
  CodeState,
} from "../../model/code/code";
import type { Context } from "../context";
import { set } from "../context";

/** The whole program, with the cursor in its middle. */
export const WHOLE: Pick<CodeState, "at" | "span"> = {
  at: 0.5,
  span: { from: 0, to: 1 },
};

export const SLOTS: readonly ProgramSlot[] = [0, 1];

export function programOf(
  { store }: Context,
  slot: ProgramSlot,
): CodeProgram | undefined {
  return programAt(store.getState().codeScreen, slot);
}

export function patchProgram(
  context: Context,
  slot: ProgramSlot,
  part: Partial<CodeProgram>,
): void {
  const { codeScreen } = context.store.getState();
  if (!codeScreen) return;
  const [first, second] = codeScreen.programs;
  const programs: CodePrograms =
    slot === 0
      ? second
        ? [{ ...first, ...part }, second]
        : [{ ...first, ...part }]
      : second
        ? [first, { ...second, ...part }]
        : [first];
  set(context, { codeScreen: { ...codeScreen, programs } });
}

/** Changes the pictures of a run, unless those of another run have replaced them. */
export function patchShown(
  context: Context,
  slot: ProgramSlot,
  of: Pick<ProgramShown, "report">,
  part: Partial<ProgramShown>,
): void {
  const shown = programOf(context, slot)?.shown;
  if (shown?.report === of.report)
    patchProgram(context, slot, { shown: { ...shown, ...part } });
}
