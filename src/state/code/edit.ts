/** Edits the programs at once, without loading anything: the editor shows what is typed. */
import { MAX_LINK } from "../../model/code/code";
import type { ProgramText, ProgramSlot } from "../../model/code/code";
import type { Context } from "../context";
import { patchProgram, programOf } from "./programs";

/** Changes the name or the code, saves them in this browser, and prepares the link. */
export function editProgram(
  context: Context,
  slot: ProgramSlot,
  part: Partial<ProgramText>,
): void {
  const program = programOf(context, slot);
  if (!program) return;
  const isSame = part.code === undefined || part.code === program.code;
  patchProgram(context, slot, {
    ...part,
    ...(!isSame && { packed: undefined, isTooLong: false }),
  });
  keepAll(context);
  if (!isSame) pack(context, slot);
}

/** Saves the programs as the user's own. */
export function keepAll(context: Context): void {
  const { codeScreen } = context.store.getState();
  context.codeService.keep(
    (codeScreen?.programs ?? []).map(({ name, code, build }) => ({
      name,
      code,
      ...(build && { build }),
    })),
  );
}

/** Compresses the code for the link. */
export function pack(context: Context, slot: ProgramSlot): void {
  const program = programOf(context, slot);
  if (!program || program.packed !== undefined || program.isTooLong) return;
  const { code } = program;
  void context.codeService.pack(code).then((word) => {
    if (programOf(context, slot)?.code !== code) return;
    const fits = word.length <= MAX_LINK;
    patchProgram(context, slot, {
      packed: fits ? word : undefined,
      isTooLong: !fits,
    });
  });
}
