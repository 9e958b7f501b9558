/** The next walk of a line: found in timelines that show only the instructions of the line. */
import { lineTable } from "../../model/code/lines";
import type { InstructionRange } from "../../model/code/lines";
import type { ProgramSlot } from "../../model/code/code";
import { accessAt } from "../../model/code/places";
import type { Context } from "../context";
import { engineError, notifyError } from "../notices";
import { engineOf, holdShown } from "./engines";
import { programOf } from "./programs";
import { goToOfProgram } from "./timeline";

const BINS = 512;

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
  const table = lineTable(shown.attribution, shown.result.compiled?.about);
  const found = table.lines.find((each) => each.line === line);
  if (!found || found.walking.length === 0) return;
  const n = shown.trace.n_accesses;
  const at = accessAt(codeScreen.at, n);
  const [ahead, behind] =
    direction === 1
      ? [
          { from: at + 1, to: n },
          { from: 0, to: at },
        ]
      : [
          { from: 0, to: at },
          { from: at + 1, to: n },
        ];
  const search = { context, slot, direction, ranges: found.walking };
  try {
    await holdShown(context, slot, shown);
    const access =
      (await nearest(search, ahead)) ?? (await nearest(search, behind));
    if (access !== undefined) await goToOfProgram(context, slot, access);
  } catch (thrown) {
    const error = engineError(thrown);
    if (error.code !== "cancelled") notifyError(context, error);
  }
}

interface Search {
  readonly context: Context;
  readonly slot: ProgramSlot;
  readonly direction: 1 | -1;
  readonly ranges: readonly InstructionRange[];
}

interface Part {
  readonly from: number;
  readonly to: number;
}

async function nearest(
  search: Search,
  part: Part,
): Promise<number | undefined> {
  let best: number | undefined;
  for (const range of search.ranges) {
    const access = await nearestOf(search, range, part);
    if (access === undefined) continue;
    const isNearer =
      best === undefined || (access - best) * search.direction < 0;
    if (isNearer) best = access;
  }
  return best;
}

/** Looks into the first bin that has a walk, until a bin is one access. */
async function nearestOf(
  { context, slot, direction }: Search,
  { start, end }: InstructionRange,
  part: Part,
): Promise<number | undefined> {
  let { from, to } = part;
  const hex = (at: bigint) => `0x${at.toString(16)}`;
  while (from < to) {
    const { view, walks, faults } = await engineOf(context, slot).start(
      "timeline",
      {
        from,
        to,
        bins: Math.min(BINS, to - from),
        rows: 1,
        only: { by: "instruction", start: hex(start), end: hex(end) },
      },
    );
    const hits = [...walks.keys()].filter(
      (bin) => (walks[bin] ?? 0) + (faults[bin] ?? 0) > 0,
    );
    const bin = direction === 1 ? hits[0] : hits.at(-1);
    if (bin === undefined) return undefined;
    const width = Math.max(1, Math.ceil((to - from) / Math.max(1, view.bins)));
    if (width === 1) return from + bin;
    [from, to] = [from + bin * width, Math.min(to, from + (bin + 1) * width)];
  }
  return undefined;
}
