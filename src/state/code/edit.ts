/** Edits the programs at once, without loading anything: the editor shows what is typed. */
import { MAX_LINK, programName } from "../../model/code/code";
import { exampleOf } from "../../model/code/examples";
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
    ...(losesName(program, part) && { name: programName("") }),
    ...(!isSame && { packed: undefined, isTooLong: false }),
  });
  keepAll(context);
  if (!isSame) pack(context, slot);
}

/** The name of an example goes with its text: another text is another program. */
function losesName(program: ProgramText, part: Partial<ProgramText>): boolean {
  if (part.name !== undefined || part.code === undefined) return false;
  return (
    exampleOf(program)?.name === program.name &&
    exampleOf({ ...program, ...part }) === undefined
  );
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
