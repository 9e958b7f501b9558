/** Finds the next walk of a line in timelines that show only the accesses of the line. */
import type { AccessFilter } from "../../engine/engine";
import type { Engine } from "../../engine/calls";

const BINS = 512;

export interface LineSearch {
  /** The accesses of the line, or of what it calls. */
  readonly only: AccessFilter;
  /** The access where the search begins. */
  readonly at: number;
  /** The number of accesses. */
  readonly n: number;
  readonly direction: 1 | -1;
}

interface Part {
  readonly from: number;
  readonly to: number;
}

/** Returns the next walk of the line, or the one before; after the last, the first. */
export async function nearestWalk(
  engine: Pick<Engine, "start">,
  search: LineSearch,
): Promise<number | undefined> {
  const { at, n, direction } = search;
  const [after, before] = [
    { from: at + 1, to: n },
    { from: 0, to: at },
  ];
  const [ahead, behind] = direction === 1 ? [after, before] : [before, after];
  return (
    (await nearestIn(engine, search, ahead)) ??
    (await nearestIn(engine, search, behind))
  );
}

/** Looks into the first bin that has a walk, until a bin is one access. */
async function nearestIn(
  engine: Pick<Engine, "start">,
  { only, direction }: LineSearch,
  part: Part,
): Promise<number | undefined> {
  let { from, to } = part;
  while (from < to) {
    const { view, walks, faults } = await engine.start("timeline", {
      from,
      to,
      bins: Math.min(BINS, to - from),
      rows: 1,
      only,
    });
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
