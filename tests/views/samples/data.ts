/** The survey of a small recording. */
import type { Levels } from "../../../src/engine/generated/Levels";
import type { SampledEvent } from "../../../src/engine/generated/SampledEvent";
import type { Sampling } from "../../../src/engine/generated/Sampling";
import type { SurveyCounts } from "../../../src/engine/generated/SurveyCounts";
import type { SurveyRange } from "../../../src/engine/generated/SurveyRange";
import type { SurveyReport } from "../../../src/engine/generated/SurveyReport";
import type { SurveyRow } from "../../../src/engine/generated/SurveyRow";
import type { SurveySide } from "../../../src/engine/generated/SurveySide";
import type { TraceView } from "../../../src/engine/generated/TraceView";

const NO_LEVELS: Levels = {
  l1: 0,
  l2: 0,
  no_walk: 0,
  walk: 0,
  fault: 0,
  unknown: 0,
};

export function counts(
  levels: Partial<Levels>,
  latency: number | null = null,
): SurveyCounts {
  const all = { ...NO_LEVELS, ...levels };
  const weight = Object.values(all).reduce((sum, n) => sum + n, 0);
  return { samples: weight / 10, weight, levels: all, latency };
}

export const heap = { name: "[heap]", kind: "heap", inferred: false } as const;
export const library = {
  name: "/lib/libm.so",
  kind: "library",
  inferred: false,
} as const;

export function row(part: Partial<SurveyRow>): SurveyRow {
  return {
    name: "",
    file: "",
    region: null,
    counts: counts({}),
    pages: null,
    ...part,
  };
}

export function range(part: Partial<SurveyRange>): SurveyRange {
  return {
    start: "0x200000",
    pid: 1,
    region: heap,
    samples: 1,
    weight: 10,
    walked: 0.5,
    gain: 5,
    touched: 1,
    strip: "8".padEnd(128, "0"),
    backing: "small",
    mapped: true,
    ...part,
  };
}

const table = (rows: SurveyRow[]) => ({ rows, omitted: 0, omitted_weight: 0 });

/** Samples as Intel measures them: hits of level 1 and level 2 are one class. */
export const data: SurveySide = {
  completeness: "latency-filtered",
  events: [0],
  weighted: true,
  total: counts({ no_walk: 700, walk: 300 }, 200),
  without_address: 0,
  kernel: 0,
  guest: 0,
  pages_4k: 40,
  pages_2m: 2,
  once: 0.05,
  regions: table([
    row({
      region: heap,
      counts: counts({ no_walk: 500, walk: 300 }, 250),
      pages: 30,
    }),
    row({ region: library, counts: counts({ no_walk: 200 }, 50), pages: 10 }),
  ]),
  symbols: {
    ...table([
      row({ name: "chase", file: "/bin/chase", counts: counts({ walk: 300 }) }),
    ]),
    omitted: 2,
    omitted_weight: 700,
  },
  objects: table([]),
  processes: table([row({ name: "17", counts: counts({ no_walk: 1000 }) })]),
  page_sizes: table([
    row({ name: "4K", counts: counts({ no_walk: 600, walk: 300 }) }),
    row({ name: "2M", counts: counts({ no_walk: 100 }) }),
  ]),
  pages: [
    {
      start: "0x201000",
      pid: 1,
      region: heap,
      samples: 8,
      weight: 80,
      walked: 0.25,
    },
    {
      start: "0x202000",
      pid: 1,
      region: heap,
      samples: 2,
      weight: 20,
      walked: null,
    },
  ],
  popularity: [
    {
      pages: "4K",
      total: 40,
      points: [
        [1, 0.08],
        [40, 1],
      ],
      cover: [9, 30, 40],
    },
    {
      pages: "2M",
      total: 2,
      points: [
        [1, 0.8],
        [2, 1],
      ],
      cover: [1, 2, 2],
    },
  ],
  ranges: {
    rows: [
      range({ start: "0x200000", touched: 300, gain: 250, samples: 60 }),
      range({
        start: "0x400000",
        touched: 3,
        gain: 50,
        samples: 20,
        region: library,
      }),
      range({ start: "0x600000", touched: 512, gain: 90, backing: "huge" }),
    ],
    total: 3,
    by_walks: true,
    gain: 300,
    cover: [1, 2, 2],
  },
  bins: { by_time: true, samples: [50, 50], pages: [30, 40] },
  estimates: [
    {
      pages: "4K",
      level: 1,
      arrays: ["L1 dTLB 4K"],
      entries: 64,
      hit_rate: 0.9,
      low: 0.85,
      high: 0.93,
      uncorrected: 0.95,
      all_fit: false,
    },
    {
      pages: "2M",
      level: 1,
      arrays: ["L1 dTLB 2M"],
      entries: 32,
      hit_rate: 1,
      low: 0.99,
      high: 1,
      uncorrected: 1,
      all_fit: true,
    },
  ],
};

/** Page faults, of which nothing is measured or estimated. */
export const faults: SurveySide = {
  ...data,
  completeness: "first-touches",
  weighted: false,
  events: [1],
  total: counts({ unknown: 100 }),
  ranges: { ...data.ranges, by_walks: false },
  estimates: [],
};

export function event(part: Partial<SampledEvent>): SampledEvent {
  return {
    name: "cpu/mem-loads,ldlat=30/P",
    of: "accesses",
    completeness: "latency-filtered",
    period: 2000,
    frequency: null,
    samples: 100,
    accesses: 100,
    ...part,
  };
}

export const sampling: Sampling = {
  events: [
    event({}),
    event({ name: "page-faults", of: "faults", period: 1, samples: 10 }),
  ],
  lost: 12,
  kernel: 0,
  guest: 0,
  kernel_addresses: 0,
  unknown_kind: 0,
  faults: 0,
  tlb: { l1: 0, l2: 0, no_walk: 70, walk: 30, unknown: 0 },
  page_sizes: [],
};

export const report: SurveyReport = {
  samples: 110,
  bytes: 1,
  nanoseconds: 2.5e9,
  data,
  faults,
  code: null,
};

export const trace: TraceView = {
  name: "redis.perf.data",
  n_accesses: 100,
  fetch: 0,
  load: 100,
  store: 0,
  threads: 1,
  cpus: 1,
  retained_bytes: 1,
  regions: [],
  samples: 110,
  import: {
    format: "perf.data",
    completeness: "latency-filtered",
    records: 110,
    accesses: 100,
    operations: 0,
    skipped: [],
    pages_4k: { fetch: 0, data: 40 },
    warnings: [],
    sampling,
  },
};
