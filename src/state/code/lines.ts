/** The next walk of a line of a program. */
import { largestLine, lineTable } from "../../model/code/lines";
import type { ProgramShown, ProgramSlot } from "../../model/code/code";
import { accessAt } from "../../model/code/places";
import type { Context } from "../context";
import { nearestWalk } from "../replay/lineWalks";
import { engineOf } from "./engines";
import { programOf } from "./programs";
import { holdShown } from "./shown";
import { attempt, goToOfProgram } from "./timeline";

/** Moves the cursor to the next walk of a line, or the one before; after the last, to the first. */
export async function goToLine(
  context: Context,
  slot: ProgramSlot,
  line: number,
  direction: 1 | -1,
): Promise<void> {
  const { codeScreen } = context.store.getState();
  const shown = programOf(context, slot)?.shown;
  if (!codeScreen || !shown?.attribution) return;
  const { files } = shown.result.compiled?.about ?? {};
  const table = lineTable(shown.attribution, files);
  const found = table.lines.find((each) => each.line === line);
  if (!found || found.counts.walks === 0) return;
  const n = shown.trace.n_accesses;
  await attempt(context, slot, async () => {
    await holdShown(context, slot, shown);
    const access = await nearestWalk(engineOf(context, slot), {
      line: { by: "line", file: found.file, line },
      at: accessAt(codeScreen.at, n),
      n,
      direction,
    });
    if (access !== undefined) await goToOfProgram(context, slot, access);
  });
}

/** The line of a program with most walks; `undefined` if there are none in its code. */
export function hotLine(shown: ProgramShown | undefined): number | undefined {
  if (!shown?.attribution) return undefined;
  const { files } = shown.result.compiled?.about ?? {};
  const line = largestLine(lineTable(shown.attribution, files), "walks");
  return line > 0 ? line : undefined;
}
