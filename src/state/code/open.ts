/** Opens the accesses of a program in the replay, where they become the open trace. */
import { programAt } from "../../model/code/code";
import type { ProgramSlot } from "../../model/code/code";
import { accessAt } from "../../model/code/places";
import type { Context } from "../context";
import { importFile } from "../import/importFile";

/** Opens the accesses of a program's last run in the replay, at the cursor. */
export async function openProgram(
  context: Context,
  slot: ProgramSlot,
): Promise<void> {
  const { codeScreen } = context.store.getState();
  const shown = programAt(codeScreen, slot)?.shown;
  if (!codeScreen || !shown) return;
  await importFile(context, {
    file: shown.file(),
    name: shown.name,
    code: shown.code,
    build: shown.build,
    screen: "replay",
    openAt: accessAt(codeScreen.at, shown.result.accesses),
  });
}
