/** The next walk of a line of a program. */
import { PROGRAM } from "../../model/code/libraryCalls";
import { linesOf } from "../../model/code/lineCounts";
import { largestLine } from "../../model/code/lines";
import type { ProgramShown, ProgramSlot } from "../../model/code/code";
import { accessAt } from "../../model/code/places";
import type { Engine } from "../../engine/calls";
import type { AccessFilter } from "../../engine/engine";
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
  const table = linesOf({
    attribution: shown.attribution,
    about: shown.result.compiled?.about,
  });
  const found = table.lines.find((each) => each.line === line);
  if (!found || found.counts.walks === 0) return;
  const n = shown.trace.n_accesses;
  await attempt(context, slot, async () => {
    await holdShown(context, slot, shown);
    const at = accessAt(codeScreen.at, n);
    const access = await nearest(
      [
        { by: "line", file: found.file, line },
        ...(found.called ?? [])
          .filter(({ walks }) => walks > 0)
          .map(({ name }) => ({ by: "calls", path: [PROGRAM, name] }) as const),
      ],
      { engine: engineOf(context, slot), at, n, direction },
    );
    if (access !== undefined) await goToOfProgram(context, slot, access);
  });
}

interface From {
  readonly engine: Pick<Engine, "start">;
  readonly at: number;
  readonly n: number;
  readonly direction: 1 | -1;
}

/** The nearest of the next walks of a line itself and of the libraries that it calls. */
async function nearest(
  filters: readonly AccessFilter[],
  { engine, at, n, direction }: From,
): Promise<number | undefined> {
  const way = (access: number) =>
    direction === 1 ? (access - at - 1 + n) % n : (at - access - 1 + n) % n;
  let best: number | undefined;
  for (const only of filters) {
    const found = await nearestWalk(engine, { only, at, n, direction });
    if (found === undefined) continue;
    if (best === undefined || way(found) < way(best)) best = found;
  }
  return best;
}

/** The line of a program with most walks; `undefined` if there are none in its code. */
export function hotLine(shown: ProgramShown | undefined): number | undefined {
  if (!shown?.attribution) return undefined;
  const { attribution } = shown;
  const about = shown.result.compiled?.about;
  const line = largestLine(linesOf({ attribution, about }), "walks");
  return line > 0 ? line : undefined;
}
