/** Opens the accesses of a loop in the replay, where they become the open trace. */
import { programAt } from "../../model/loop/loop";
import type { LoopSlot } from "../../model/loop/loop";
import { accessAt } from "../../model/loop/places";
import type { Context } from "../context";
import { importFile } from "../import/traceActions";

/** Opens the accesses of a program's last run in the replay, at the cursor. */
export async function openLoop(
  context: Context,
  slot: LoopSlot,
): Promise<void> {
  const { loop } = context.store.getState();
  const shown = programAt(loop, slot)?.shown;
  if (!loop || !shown) return;
  await importFile(context, {
    file: shown.file,
    name: shown.name,
    code: shown.code,
    screen: "replay",
    openAt: accessAt(loop.at, shown.result.accesses),
  });
}
