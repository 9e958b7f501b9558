/**
 * A made-up run with the look of a real one: a loader that touches libraries once, an allocation that faults page by
 * page, then strides and random reads over a heap. Equal inputs give equal columns.
 */
import type { RegionView } from "../../src/engine/generated/RegionView";
import type { TimelineColumns } from "../../src/model/timeline/counts";

interface RegionShape {
  readonly name: string;
  readonly start: string;
  readonly pages: number;
  /** The share of all rows that the region takes. */
  readonly rows: number;
}

const SHAPES: readonly RegionShape[] = [
  {
    name: "stack",
    start: "0x7ffc4a1e0000",
    pages: 4,
    rows: 0.08,
  },
  { name: "libs + ld.so", start: "0x7f3a1be00000", pages: 1029, rows: 0.31 },
  { name: "locale file", start: "0x7f3a1b000000", pages: 60, rows: 0.1 },
  {
    name: "heap",
    start: "0x55d0c8a00000",
    pages: 1744,
    rows: 0.42,
  },
  { name: "text", start: "0x55d0c7400000", pages: 23, rows: 0.09 },
];

export interface TimelineShape {
  readonly from?: number;
  readonly to?: number;
  readonly bins: number;
  readonly rows: number;
}

export const N_ACCESSES = 398_306;

export function timelineData({
  from = 0,
  to = N_ACCESSES,
  bins,
  rows,
}: TimelineShape): TimelineColumns {
  const random = generator(12345);
  const regions = regionsOf(rows);
  const nRows = regions.reduce((sum, region) => sum + region.rows, 0);
  const cells = bins * nRows;
  const columns = {
    translations: new Uint32Array(bins),
    l2Hits: new Uint32Array(bins),
    walks: new Uint32Array(bins),
    faults: new Uint32Array(bins),
    exceptions: new Uint32Array(bins),
    operations: new Uint32Array(bins),
    density: new Uint32Array(cells),
    cellWalks: new Uint32Array(cells),
    cellFaults: new Uint32Array(cells),
    cellExceptions: new Uint32Array(cells),
  };
  const perBin = Math.ceil((to - from) / bins);
  for (let bin = 0; bin < bins; bin += 1) {
    const size = Math.min(perBin, Math.max(0, to - from - bin * perBin));
    columns.translations[bin] = Math.round(size * 1.02);
    const time = (from + (bin + 0.5) * perBin) / N_ACCESSES;
    fillBin(columns, regions, { bin, bins, size, time }, random);
  }
  return {
    view: { from, to, bins, rows: nRows, page_size: "4K", regions },
    ...columns,
  };
}

type Columns = Omit<TimelineColumns, "view">;

interface Moment {
  readonly bin: number;
  readonly bins: number;
  readonly size: number;
  /** 0 at the start of the trace, 1 at its end. */
  readonly time: number;
}

function fillBin(
  columns: Columns,
  regions: readonly RegionView[],
  moment: Moment,
  random: () => number,
): void {
  const { bin, bins, size, time } = moment;
  for (const region of regions) {
    for (let i = 0; i < region.rows; i += 1) {
      const at = (region.first_row + i) * bins + bin;
      const { share, walk, fault } = use(
        region.name,
        i / region.rows,
        region.rows,
        time,
        random,
      );
      columns.density[at] = Math.round(share * size);
      const walks =
        columns.density[at] > 0 && walk > random()
          ? 1 + Math.floor(random() * size * 0.002)
          : 0;
      const faults =
        columns.density[at] > 0 && fault > random()
          ? 1 + Math.floor(size * 0.006)
          : 0;
      columns.cellWalks[at] = walks;
      columns.cellFaults[at] = faults;
      columns.walks[bin] = (columns.walks[bin] ?? 0) + walks;
      columns.faults[bin] = (columns.faults[bin] ?? 0) + faults;
    }
  }
  const l2 =
    time < 0.22
      ? 0.02 * (1 - time * 3)
      : time < 0.25
        ? 0.004
        : time < 0.5
          ? 0.004
          : 0.019;
  columns.l2Hits[bin] = Math.round(size * l2 * (0.7 + 0.6 * random()));
}

interface Use {
  /** The row's share of the bin's accesses. */
  readonly share: number;
  /** Chances of a walk and of a fault. */
  readonly walk: number;
  readonly fault: number;
}

const NOTHING: Use = { share: 0, walk: 0, fault: 0 };

/** Returns how densely a row of a region is used in a bin. `depth` is its place in the region, 0 at the top. */
function use(
  name: string,
  depth: number,
  rows: number,
  time: number,
  random: () => number,
): Use {
  const row = Math.round(depth * rows);
  switch (name) {
    case "stack":
      return row === 1 && random() > 0.1
        ? { share: 0.12, walk: 0.02, fault: time < 0.004 ? 1 : 0 }
        : NOTHING;
    case "libs + ld.so":
      if (time < 0.21)
        return {
          share: 0.003 * random(),
          walk: 0.55 * (1 - 4 * time),
          fault: time < 0.01 ? 0.8 : 0,
        };
      return row === 13 && time < 0.5
        ? { share: 0.09, walk: 0, fault: 0 }
        : NOTHING;
    case "locale file":
      return time > 0.8
        ? { share: 0.02 * random(), walk: 0.05, fault: time < 0.815 ? 0.9 : 0 }
        : NOTHING;
    case "heap":
      return useHeap(depth, rows, time, random);
    default:
      return random() < 0.35
        ? { share: 0.3 * random() ** 3, walk: 0.004, fault: 0 }
        : NOTHING;
  }
}

function useHeap(
  depth: number,
  rows: number,
  time: number,
  random: () => number,
): Use {
  if (time >= 0.25 && time < 0.5) {
    const near = Math.abs(depth - (time - 0.25) * 4) < 1 / rows;
    return near ? { share: 0.05, walk: 0, fault: 1 } : NOTHING;
  }
  if (time >= 0.5 && time < 0.67) {
    const phase = ((time - 0.5) * 30) % 1;
    const distance = Math.abs(depth - phase);
    return distance < 1.5 / rows
      ? { share: 0.08, walk: distance < 0.8 / rows ? 0.9 : 0, fault: 0 }
      : NOTHING;
  }
  if (time >= 0.67)
    return { share: 0.012 * random() ** 2, walk: 0.08, fault: 0 };
  return time > 0.1 && depth < 0.05 && random() < 0.4
    ? { share: 0.05 * random(), walk: 0.06, fault: 0 }
    : NOTHING;
}

function regionsOf(rows: number): RegionView[] {
  let first = 0;
  return SHAPES.map(({ name, start, pages, rows: share }) => {
    const n = Math.max(1, Math.min(pages, Math.round(share * rows)));
    const end = `0x${(BigInt(start) + BigInt(pages) * 4096n).toString(16)}`;
    const region = {
      name,
      kind: "anonymous" as const,
      start,
      end,
      pages,
      recorded: 0,
      accesses: pages * 100,
      first_row: first,
      rows: n,
    };
    first += n;
    return region;
  });
}

/** A linear congruential generator of 32 bits: 0 ≤ x < 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Four bins of 100 accesses, the last empty; a stack of one page and a heap of ten in four rows. */
export function smallTimeline(): TimelineColumns {
  const regions: RegionView[] = [
    {
      name: "stack",
      kind: "stack",
      start: "0x7ffc4a1e0000",
      end: "0x7ffc4a1e1000",
      pages: 1,
      recorded: 1,
      accesses: 20,
      first_row: 0,
      rows: 1,
    },
    {
      name: "heap",
      kind: "heap",
      start: "0x55d0c8a00000",
      end: "0x55d0c8a0a000",
      pages: 10,
      recorded: 4,
      accesses: 300,
      first_row: 1,
      rows: 4,
    },
  ];
  // prettier-ignore
  const density = [
    20,  0,  0, 0,
     0, 50,  1, 0,
    60,  0,  4, 0,
     0, 50,  0, 0,
    20,  0, 16, 0,
  ];
  const cell = (at: number, n: number) =>
    density.map((_, i) => (i === at ? n : 0));
  return {
    view: { from: 0, to: 400, bins: 4, rows: 5, page_size: "4K", regions },
    translations: Uint32Array.of(104, 103, 103, 0),
    l2Hits: Uint32Array.of(8, 1, 0, 0),
    walks: Uint32Array.of(4, 1, 0, 0),
    faults: Uint32Array.of(2, 0, 0, 0),
    exceptions: Uint32Array.of(0, 0, 0, 0),
    operations: Uint32Array.of(0, 3, 0, 0),
    density: Uint32Array.from(density),
    cellWalks: Uint32Array.from(cell(8, 3)),
    cellFaults: Uint32Array.from(cell(8, 2)),
    cellExceptions: new Uint32Array(density.length),
  };
}

/** The small timeline with two accesses of its last cell ended by an exception. */
export function endedTimeline(): TimelineColumns {
  const timeline = smallTimeline();
  const { exceptions, cellExceptions } = timeline;
  exceptions[2] = 2;
  cellExceptions[18] = 2;
  return timeline;
}

/** Returns a timeline with one bar per share of walks, and no accesses by address. */
export function barsOf(shares: readonly number[]): TimelineColumns {
  const bins = shares.length;
  const per = 100_000;
  const none = new Uint32Array(bins);
  return {
    view: {
      from: 0,
      to: bins * per,
      bins,
      rows: 0,
      page_size: "4K",
      regions: [],
    },
    translations: none.map(() => per),
    l2Hits: none,
    walks: Uint32Array.from(shares, (share) => Math.round(share * per)),
    faults: none,
    exceptions: none,
    operations: none,
    density: new Uint32Array(0),
    cellWalks: new Uint32Array(0),
    cellFaults: new Uint32Array(0),
    cellExceptions: new Uint32Array(0),
  };
}
