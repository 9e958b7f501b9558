import { expect, test } from "vitest";
import type { HugeAdvice } from "../../../src/engine/generated/HugeAdvice";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import { withDefaults } from "../../../src/model/config/defaults";
import {
  adviceRows,
  adviceSentence,
  baseSize,
  mostSavedFirst,
  pagesChoices,
  pickedText,
  rangeText,
  shownSizes,
  withHuge,
} from "../../../src/model/whatif/pages";
import type { SimulatedRow } from "../../../src/model/whatif/pages";
import {
  adviceLayout,
  advisedSize,
  advisingCode,
  largerSizes,
  rangesCsv,
} from "../../../src/model/whatif/advice";
import {
  sensitivityChoices,
  walkersText,
  windowOf,
  workingSetPicture,
} from "../../../src/model/whatif/overTime";
import {
  isSaving,
  savedBy,
  savedParts,
} from "../../../src/model/whatif/savings";
import {
  splitCsv,
  splitParts,
  splitWidths,
} from "../../../src/model/whatif/split";
import { curvesMissing } from "../../../src/model/whatif/missing";
import type { TraceView } from "../../../src/engine/generated/TraceView";

const os: OsConfig = { default: "4K", regions: [], frames: "sequential" };
const machine = withDefaults({ psc: { pde: { entries: 8 } } });

test("sizes_are_shown_from_the_smallest_and_no_more_than_three", () => {
  expect(shownSizes(["1G", "4K", "2M"])).toEqual(["4K", "2M", "1G"]);
  expect(shownSizes(["4K", "64K", "2M", "32M", "1G"])).toEqual([
    "4K",
    "2M",
    "1G",
  ]);
  expect(shownSizes(["16K", "2M", "32M", "1G"])).toEqual(["16K", "2M", "32M"]);
});

test("what_is_configured_is_the_first_choice_and_not_named_twice", () => {
  const names = (os: OsConfig) =>
    pagesChoices(os, machine, ["4K", "2M", "1G"]).map(({ id }) => id);
  expect(names(os)).toEqual(["now", "thp", "2M", "1G"]);
  expect(names({ ...os, default: "thp" })).toEqual(["now", "4K", "2M", "1G"]);
  expect(baseSize({ ...os, default: "2M" }, machine)).toBe("2M");
  expect(baseSize({ ...os, default: "thp" }, machine)).toBe("4K");
});

const pick = (start: string, walks: number) => ({
  start,
  walks,
  l2_miss_cycles: walks * 2,
  walk_cycles: walks * 8,
  touched_bytes: 1 << 20,
  tried: false,
});
const point = (huge_pages: number, walks: number) => ({
  huge_pages,
  walks,
  l2_miss_cycles: walks * 2,
  walk_cycles: walks * 8,
  l2_cycles: 0,
  extra_bytes: 0,
});
const advice: HugeAdvice = {
  pages: "4K",
  huge: "2M",
  picks: [
    pick("0x400000", 60),
    pick("0x7f0000000000", 12),
    pick("0x600000", 6),
  ],
  points: [point(0, 100), point(1, 30), point(3, 5)],
};
const regions = [
  { name: "heap", start: "0x500000", end: "0x700000" },
  { name: "stack", start: "0x7f0000001000", end: "0x7f0000002000" },
];

test("advice_is_by_region_and_says_what_it_costs", () => {
  const rows = adviceRows(advice, regions);
  expect(
    rows.map(({ name, cycles, starts, wasted }) => [
      name,
      cycles,
      starts.length,
      wasted,
    ]),
  ).toEqual([
    ["heap", 660, 2, 2 << 20],
    ["stack", 120, 1, 1 << 20],
  ]);
  const [heap, stack] = rows;
  expect(adviceSentence(advice, heap)).toBe(
    "2 pages of 2M in heap take 2.0 MiB of unused memory; the simulation of what they save is running.",
  );
  const saved = { walks: 78, cycles: 780 };
  expect(adviceSentence(advice, heap && { ...heap, saved })).toBe(
    "2 pages of 2M in heap save 78.0 % of all walks, and take 2.0 MiB of unused memory.",
  );
  expect(adviceSentence(advice, stack && { ...stack, saved })).toBe(
    "1 page of 2M in stack saves 78.0 % of all walks, and takes 1.0 MiB of unused memory.",
  );
  expect(adviceSentence({ ...advice, points: [] }, undefined)).toBe(
    "Huge pages of 2M would save no walk.",
  );
});

test("rows_are_in_the_order_of_what_they_save_once_all_is_known", () => {
  const saved = (cycles: number) => ({ saved: { walks: 0, cycles } });
  const [heap, stack] = adviceRows(advice, regions);
  if (!heap || !stack) throw new Error("There are two regions.");
  const names = (rows: readonly SimulatedRow[]) =>
    mostSavedFirst(rows).map(({ name }) => name);
  expect(names([heap, { ...stack, ...saved(9) }])).toEqual(["heap", "stack"]);
  expect(
    names([
      { ...heap, ...saved(7) },
      { ...stack, ...saved(9) },
    ]),
  ).toEqual(["stack", "heap"]);
});

test("how_pages_were_picked_is_told", () => {
  const of = (tried: readonly boolean[]) =>
    pickedText({
      picks: tried.map((each) => ({ ...pick("0x0", 1), tried: each })),
    });
  expect(of([true, true])).toMatch(
    /^Each page is the best addition to the earlier ones/,
  );
  expect(of([true, true, false])).toMatch(
    /^Each of the first 2 pages is the best .* the others have the most/,
  );
});

test.each([
  [97, 900, "saves 3.0 % of all walks"],
  [100, 960, "saves no walks, but 4.0 % of all miss cycles"],
  [103, 960, "saves no walks, but 4.0 % of all miss cycles"],
  [103, 1000, "saves neither walks nor miss cycles"],
  [100, 1200, "saves neither walks nor miss cycles"],
])(
  "a_page_that_leaves_%s_of_100_walks_and_%s_of_1000_cycles_%s",
  (walks, cycles, words) => {
    // The other counts of a run do not matter here.
    const report = {
      walks: { walks },
      cycles: { l2_miss: 50, walk: cycles - 50 },
    } as RunReport;
    const saved = savedBy(advice, report);
    const rows = adviceRows(
      { ...advice, picks: advice.picks.slice(0, 1) },
      regions,
    );
    const [row] = rows;
    expect(adviceSentence(advice, row && { ...row, saved })).toBe(
      `1 page of 2M in heap ${words}, and takes 1.0 MiB of unused memory.`,
    );
    expect(isSaving(saved)).toBe(!words.includes("neither"));
  },
);

test.each([
  [
    [0, 5000, 2500],
    [0, 1, 0.5],
  ],
  [
    [40, -10],
    [1, 0],
  ],
  [
    [0, -3],
    [0, 0],
  ],
  [
    [8, undefined],
    [1, 0],
  ],
  [[], []],
])("rows_that_save_%j_have_bars_of_%j", (walks, bars) => {
  const saved = walks.map((each) =>
    each === undefined ? undefined : { walks: each },
  );
  expect(savedParts(saved)).toEqual(bars);
});

test("ranges_one_after_another_are_one_call", () => {
  const starts = ["0x600000", "0x400000", "0x7f0000000000"];
  expect(advisingCode(starts, "2M", machine)).toBe(
    "madvise((void *)0x400000, 4 << 20, MADV_HUGEPAGE);\n" +
      "madvise((void *)0x7f0000000000, 2 << 20, MADV_HUGEPAGE);",
  );
  expect(withHuge(os, "4K", "2M", ["0x600000", "0x400000"]).regions).toEqual([
    { start: "0x400000", end: "0x600000", pages: "2M" },
    { start: "0x600000", end: "0x800000", pages: "2M" },
  ]);
  expect(rangeText("0x7f3a1b800000", "0x7f3a1cb28000")).toBe(
    "7f3a1b800000–…cb28000",
  );
  expect(rangeText("0x1000", "0x3000")).toBe("1000–3000");
  expect(rangeText("0xf000", "0x10000")).toBe("f000–10000");
});

/** Arm with pages of 16K: 2M and 1G are runs of entries. */
const arm = withDefaults({
  paging: {
    offset_bits: 14,
    index_bits: [1, 11, 11, 11],
    leaf_levels: [1, 2],
    contiguous: { "16K": 128, "32M": 32 },
  },
});

test("every_larger_page_of_the_machine_can_be_advised_and_thp_s_is_the_first", () => {
  const sizes = largerSizes(["1G", "16K", "32M", "2M"], "16K");
  expect(sizes).toEqual(["2M", "32M", "1G"]);
  expect(advisedSize(sizes, arm, undefined)).toBe("32M");
  expect(advisedSize(sizes, arm, "2M")).toBe("2M");
  expect(advisedSize(sizes, arm, "64K")).toBe("32M");
  expect(largerSizes(["4K", "2M", "1G"], "2M")).toEqual(["1G"]);
  expect(advisedSize(["1G"], machine, undefined)).toBe("1G");
  expect(advisedSize([], machine, "2M")).toBeUndefined();
});

test("smaller_and_larger_pages_than_those_of_thp_are_got_in_other_ways", () => {
  expect(advisingCode(["0x200000", "0x210000"], "64K", machine)).toBe(
    "// echo madvise > /sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled\n" +
      "madvise((void *)0x200000, 128 << 10, MADV_HUGEPAGE);",
  );
  expect(advisingCode(["0x40000000"], "1G", machine)).toBe(
    "mmap((void *)0x40000000, 1UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB | 30 << MAP_HUGE_SHIFT, -1, 0);",
  );
});

test("causes_add_up_to_what_was_counted_and_may_be_below_0", () => {
  const split = {
    accesses: 0,
    translations: 0,
    entries: 64,
    ways: 4,
    misses: 95,
    compulsory: 50,
    capacity: 50,
    conflict: -5,
    optimum: 70,
    reach_bytes: 1,
    footprint_bytes: 2,
  };
  const parts = splitParts(split, 90);
  expect(parts.map(({ misses }) => misses)).toEqual([50, 50, -5, -5]);
  expect(parts.reduce((sum, { misses }) => sum + misses, 0)).toBe(90);
  expect(splitWidths(parts)).toEqual([50, 50, 0, 0]);
});

test("windows_are_round_and_leave_room_for_the_picture", () => {
  expect([50, 300_770, 10_000_000].map(windowOf)).toEqual([100, 2000, 50_000]);
  const interval = {
    first: 0,
    accesses: 10,
    mean: 4,
    least: 1,
    most: 8,
    pages: 8,
    change: 0,
  };
  const picture = workingSetPicture(
    {
      accesses: 20,
      window: 10,
      page_bytes: 4096,
      pages: 8,
      mean: 3,
      most: 8,
      intervals: [interval, { ...interval, first: 10, mean: 2 }],
      phases: [{ first: 0, accesses: 20, mean: 3, most: 8 }],
    },
    200,
    80,
  );
  expect(picture.area).toBe(
    "M0 80L0.0 40.0L100.0 40.0L100.0 60.0L200.0 60.0L200 80Z",
  );
  expect(picture.phases).toEqual([{ x: 0, width: 200 }]);
});

test("single_changes_leave_the_rest_as_it_is", () => {
  const choices = sensitivityChoices({ machine, os });
  const [none, twice] = choices;
  const nested = choices.at(-1);
  expect(none?.setup.machine.psc).toEqual({});
  expect(twice?.setup.machine.psc).toEqual({ pde: { entries: 16 } });
  expect(nested?.setup.os.virt).toBe("ept");
  const back = sensitivityChoices({ machine, os: { ...os, virt: "ept" } });
  expect(back.at(-1)?.setup.os).toEqual(os);
});

test("each_latency_of_the_walker_is_changed_by_itself", () => {
  const cache = (name: string, latency: number) => ({
    name,
    size: "32K",
    latency,
  });
  const walker = withDefaults({
    latency: { l2_hit: 7, walk_overhead: 4 },
    memory: {
      data: false,
      caches: [cache("L1", 4), cache("L2", 14)],
      dram: 200,
    },
  });
  const latencies = sensitivityChoices({ machine: walker, os }).slice(4, -1);
  const told = latencies.map(({ name, setup: { machine } }) => [
    name,
    ...machine.memory.caches.map(({ latency }) => latency),
    machine.memory.dram,
    machine.latency.walk_overhead,
  ]);
  expect(told).toEqual([
    ["L1 twice as slow, 8 cycles", 8, 14, 200, 4],
    ["L2 twice as slow, 28 cycles", 4, 28, 200, 4],
    ["DRAM twice as slow, 400 cycles", 4, 14, 400, 4],
    ["10 more cycles per walk", 4, 14, 200, 14],
  ]);
  const far = { ...walker, memory: { ...walker.memory, dram: 100_000 } };
  expect(
    sensitivityChoices({ machine: far, os }).map(
      ({ setup }) => setup.machine.memory.dram,
    ),
  ).not.toContain(200_000);
});

test.each([
  [1, undefined],
  [
    2,
    "Cycles of all walks are added. With 2 walkers, elapsed time may be half.",
  ],
])("of_%s_walkers_it_is_told_what_they_mean", (walkers, text) => {
  expect(walkersText({ ...machine, walkers })).toBe(text);
});

test.each([
  ["complete", false, 5, undefined],
  ["complete", false, 0, "The trace has no accesses"],
  ["first-touches", false, 5, "First touches have no curves"],
  ["sampled", true, 5, "Samples have no curves"],
  ["sampled", false, 5, undefined],
] as const)(
  "of_a_%s_trace_gated_%s_of_%s_accesses",
  (completeness, gated, n, title) => {
    // The rest is not looked at.
    const trace = { n_accesses: n, import: { completeness } } as TraceView;
    expect(curvesMissing(trace, gated)?.title).toBe(title);
  },
);

test("walks_left_stand_over_a_true_axis", () => {
  const points = [0, 1, 2, 3, 6, 10].map((n) => ({
    huge_pages: n,
    walks: 100 - 10 * n,
    l2_miss_cycles: 0,
    walk_cycles: 0,
    l2_cycles: 0,
    extra_bytes: 0,
  }));
  const { dots, ticks } = adviceLayout(points, { width: 176, height: 118 });
  const [first, second, third, fourth, fifth, last] = dots.map(({ x }) => x);
  expect([first, second, third, fourth, fifth, last]).toEqual([
    62, 72, 82, 92, 122, 162,
  ]);
  expect(dots.map(({ y }) => Math.round(y))).toEqual([10, 17, 25, 32, 54, 84]);
  // The points between 0 and 3 have no room for their labels.
  expect(ticks.map(({ n }) => n)).toEqual([0, 3, 6, 10]);
});

test("regions_that_should_be_huge_are_in_a_file", () => {
  const row = {
    name: "heap",
    start: "0x200000",
    end: "0x600000",
    starts: ["0x200000", "0x400000"],
    cycles: 90,
    wasted: 4096,
  };
  const saved = { walks: 7, cycles: 70 };
  expect(
    rangesCsv([{ ...row, saved }, row])
      .trim()
      .split("\n")
      .slice(1),
  ).toEqual([
    "heap,0x200000,0x600000,7,70,2,4096,0x200000 0x400000",
    "heap,0x200000,0x600000,,,2,4096,0x200000 0x400000",
  ]);
});

test("causes_bounds_and_reach_are_in_a_file", () => {
  // Its other fields do not matter here.
  const split = {
    compulsory: 10,
    capacity: 20,
    conflict: -1,
    misses: 29,
    optimum: 15,
    reach_bytes: 4096,
    footprint_bytes: 40_960,
  } as unknown as Parameters<typeof splitCsv>[0];
  expect(splitCsv(split, 32).trim().split("\n")).toEqual([
    "what,number,unit",
    "compulsory,10,misses",
    "capacity,20,misses",
    "conflict,-1,misses",
    '"policy, index, sharing",3,misses',
    "all,32,misses",
    "fewest possible,15,misses",
    "ideal TLB,10,misses",
    "reach,4096,bytes",
    "footprint,40960,bytes",
  ]);
});
