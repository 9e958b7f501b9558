import { expect, test } from "vitest";
import type { ArrayConfig } from "../../../src/engine/generated/ArrayConfig";
import type { MachineConfig } from "../../../src/engine/generated/MachineConfig";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { withDefaults } from "../../../src/model/config/defaults";
import {
  changed,
  changeOf,
  readWhatIf,
  writeWhatIf,
} from "../../../src/model/whatif/questions";
import {
  allRows,
  secondLevelLine,
  lineNote,
  curveLine,
  curveScales,
  missesAt,
  missTicks,
  nearestSize,
  ownPoints,
  readAt,
} from "../../../src/model/whatif/curves";
import { changeText, verdict } from "../../../src/model/whatif/effect";
import {
  arrayKnobs,
  arraysOf,
  latencyKnobs,
  shapeText,
  substituteText,
  usualArray,
  walkCacheKnobs,
  withArray,
  withCell,
  withEntries,
  withShape,
} from "../../../src/model/whatif/machine";
import {
  elsewhere,
  missingShape,
  rulesNote,
  surfaceGrid,
} from "../../../src/model/whatif/surface";

const machine: MachineConfig = withDefaults({
  l1: [
    { name: "iTLB", serves: ["fetch"], pages: ["4K"], entries: 128, ways: 8 },
    { name: "dTLB", serves: ["load", "store"], entries: 64, ways: 4 },
  ],
  l2: [{ name: "STLB", entries: 1536, ways: 12 }],
  psc: { pde: { entries: 32, ways: 4 } },
});
const os = { default: "4K", regions: [], frames: "sequential" } as const;
const setup = { machine, os: { ...os, regions: [] } };

test("a_change_is_what_differs_and_is_put_back_on_its_own_cpu_only", () => {
  const [, , stlb] = arraysOf(machine);
  if (!stlb) throw new Error("There is no STLB.");
  const to = { ...setup, machine: withShape(machine, stlb, 128, 16) };
  const change = changeOf(setup, to, "zen");
  expect(changed(setup, "zen", change)).toEqual(to);
  expect(changed(setup, "other", change)).toBe(setup);
  expect(changeOf(setup, { ...setup }, "zen")).toBeUndefined();
});

test("a_view_comes_back_from_its_link", () => {
  const view = {
    kinds: "all",
    structure: "l1[1]",
    huge: "1G",
    interval: true,
    change: { cpu: "zen", machine: { seed: 3 } },
  } as const;
  expect(readWhatIf(writeWhatIf(view) ?? "")).toEqual(view);
  expect(writeWhatIf({ kinds: "data" })).toBeUndefined();
});

test.each([
  ["{", "“whatif” is not valid JSON: was the link cut short?"],
  ["[1]", "“whatif” must be a JSON object."],
  ['{"kinds":"some"}', "“kinds” of “whatif” must be data, fetch, all."],
  ['{"structure":1}', "“structure” of “whatif” must be a name."],
  ['{"huge":1}', "“huge” of “whatif” must be a page size."],
  ['{"interval":1}', "“interval” of “whatif” must be true, or missing."],
  ['{"change":{}}', "“cpu” of “change” must be the id of a CPU model."],
  ['{"change":{"cpu":"a","os":1}}', "“os” must be a JSON object."],
])("a_link_that_says_%s_is_refused", (text, why) => {
  expect(() => readWhatIf(text)).toThrow(why);
});

test("sliders_stand_at_the_machine_and_move_one_number", () => {
  const place = usualArray(machine, ["load", "store"], "4K");
  expect(place?.id).toBe("l2[0]");
  if (!place) throw new Error("There is no array.");
  const [ways, sets] = arrayKnobs(machine, machine, place);
  expect([ways?.value, ways?.own, sets?.value]).toEqual([12, 12, 128]);
  expect(ways?.values).toContain(16);
  const wider = ways?.put(16) ?? machine;
  expect(wider.l2[0]).toMatchObject({ entries: 2048, ways: 16 });
  expect(wider.l1).toEqual(machine.l1);
  const [moved] = arrayKnobs(wider, machine, place);
  expect([moved?.value, moved?.own]).toEqual([16, 12]);
  const [cache] = walkCacheKnobs(machine, machine);
  expect(cache?.put(64).psc.pde).toEqual({ entries: 64, ways: 4 });
  const latency = latencyKnobs(machine, machine).map(({ id }) => id);
  expect(latency).toEqual([
    "latency.l2_hit",
    "latency.walk_overhead",
    "memory.dram",
  ]);
});

test("a_fully_associative_array_has_entries_and_no_sets", () => {
  const full = withDefaults({ l1: [{ entries: 48 }] });
  const [place] = arraysOf(full);
  if (!place) throw new Error("There is no array.");
  const [entries, ...more] = arrayKnobs(full, full, place);
  expect([entries?.label, entries?.value, more.length]).toEqual([
    "L1 TLB, entries",
    48,
    0,
  ]);
  expect(shapeText(place.array)).toBe("48, fully associative");
});

test.each([
  ["mru3-plru4", 12, 16, "mru3-plru4 needs 12 ways (three groups of four)"],
  ["tree-plru", 8, 12, "tree-plru needs a power of two of ways"],
] as const)(
  "%s_is_told_to_be_replaced_and_comes_back_with_its_ways",
  (policy, ways, others, why) => {
    const own = withDefaults({
      l1: [{ entries: 64 * ways, ways, replacement: policy }],
    });
    const [place] = arraysOf(own);
    const [slider] = arrayKnobs(own, own, place ?? never());
    const moved = slider?.put(others) ?? own;
    const [array] = moved.l1;
    expect(array?.replacement).toBe("lru");
    expect(substituteText(array ?? never(), own.l1[0] ?? never())).toBe(
      `${why}: with ${others} ways, LRU is simulated instead.`,
    );
    const [back] = arrayKnobs(moved, own, place ?? never());
    expect(back?.put(ways)).toEqual(own);
    expect(
      substituteText(own.l1[0] ?? never(), own.l1[0] ?? never()),
    ).toBeUndefined();
  },
);

test("a_policy_that_was_chosen_stays_whatever_the_ways", () => {
  const own = withDefaults({
    l1: [{ entries: 768, ways: 12, replacement: "mru3-plru4" }],
  });
  const [place] = arraysOf(own);
  const chosen = withArray(own, place ?? never(), { replacement: "fifo" });
  const [slider] = arrayKnobs(chosen, own, place ?? never());
  const moved = slider?.put(16);
  expect(moved?.l1[0]?.replacement).toBe("fifo");
  expect(
    substituteText(moved?.l1[0] ?? never(), own.l1[0] ?? never()),
  ).toBeUndefined();
});

function never(): never {
  throw new Error("There is no array.");
}

const line = curveLine("4K", 0, {
  accesses: 1000,
  translations: 1000,
  cold: 50,
  misses: [
    [1, 900],
    [2, 400],
    [64, 60],
    [70, 50],
  ],
});

test("misses_between_two_sizes_are_those_of_the_lower", () => {
  expect([1, 2, 63, 64, 70, 9999].map((n) => missesAt(line, n))).toEqual([
    900, 400, 400, 60, 50, 50,
  ]);
  expect(readAt([line], 64).rows).toEqual([
    {
      id: "4K",
      name: "4K pages",
      misses: "60",
      share: "6.0 %",
      local: "",
      reach: "256 KiB",
    },
  ]);
});

test("axes_hold_all_lines_and_points", () => {
  const point = {
    id: "x",
    name: "STLB 128 × 12-way",
    array: "STLB",
    entries: 1536,
    misses: 7,
  };
  const scales = curveScales([line], [point], { width: 500, height: 300 });
  expect(scales.wide).toBe(2048);
  expect(missTicks(scales)).toEqual([1, 10, 100, 1000]);
  expect(nearestSize([1, 2, 64, 70], 30)).toBe(64);
  // The tried size has a place, too.
  const box = { width: 500, height: 300 };
  expect(curveScales([line], [point], box, 6144).wide).toBe(8192);
});

test("a_file_has_every_size_that_can_be_read_and_the_machines_own", () => {
  const point = { id: "x", name: "x", array: "x", entries: 65, misses: 7 };
  expect(allRows([line], [point])).toEqual([
    [1, 900],
    [2, 400],
    [64, 60],
    [65, 60],
    [70, 50],
  ]);
});

test("a_second_level_is_told_of_its_own_lookups_too", () => {
  const second = secondLevelLine({
    accesses: 1000,
    translations: 1000,
    l1_misses: 400,
    refused: 1,
    cold: 50,
    misses: [[1, 100]],
  });
  expect(lineNote(second)).toBe(
    "50 compulsory; 1 access left out, as this machine does not translate the address",
  );
  expect(lineNote({ ...second, refused: 0 })).toBe("50 compulsory");
  expect(readAt([second], 1).rows[0]).toMatchObject({
    share: "10.0 %",
    local: "25.0 %",
    reach: "",
  });
});

test("a_cell_is_tried_as_the_array_that_it_counts", () => {
  const own = withDefaults({
    l1: [{ entries: 64, ways: 4 }],
    l2: [{ entries: 1536, ways: 12, index: "xor", replacement: "mru3-plru4" }],
  });
  const [, place] = arraysOf(own);
  expect(withCell(own, place ?? never(), 128, 16).l2[0]).toMatchObject({
    entries: 2048,
    ways: 16,
    index: "low-bits",
    replacement: "lru",
  });
  expect(elsewhere(place ?? never(), "data")).toBe(
    "level 1 filters accesses and code shares it",
  );
  expect(elsewhere(place ?? never(), "all")).toBe("level 1 filters accesses");
});

test.each([
  [3072, 12, "xor"],
  [24, 12, "xor"],
  // 100 and 3 × 12 are no power of two of sets.
  [100, 100, "low-bits"],
  [36, 36, "low-bits"],
  [70_000, undefined, undefined],
])("a_point_of_%s_entries_is_tried_with_%s_ways", (entries, ways, index) => {
  const own = withDefaults({ l1: [{ entries: 1536, ways: 12, index: "xor" }] });
  const [place] = arraysOf(own);
  const next = withEntries(own, place ?? never(), entries, own);
  expect(next?.l1[0]?.ways).toBe(ways);
  expect(next?.l1[0]?.index).toBe(index);
});

const kind = (translations: number, l1_hits: number, walks: number) => ({
  translations,
  l1_hits,
  l2_hits: translations - l1_hits - walks,
  walks,
});

function report(walks: number, total = walks * 20): RunReport {
  // The code under test uses no other field.
  return {
    kinds: {
      fetch: kind(100, 90, 1),
      load: kind(200, 150, 30),
      store: kind(50, 40, 5),
    },
    walks: { walks, refs: walks },
    cycles: { l2_hit: 0, l2_miss: 0, walk: total, total },
  } as unknown as RunReport;
}

test("the_machines_points_are_what_the_run_counted_of_the_accesses", () => {
  const at = (kinds: "data" | "fetch" | "all") =>
    ownPoints(machine, report(36), kinds, "4K").map(
      ({ name, entries, misses }) => [name, entries, misses],
    );
  expect(at("data")).toEqual([
    ["dTLB 16 × 4-way", 64, 60],
    ["STLB 128 × 12-way", 1536, 35],
  ]);
  expect(at("fetch")[0]).toEqual(["iTLB 16 × 8-way", 128, 10]);
  // No array of level 1 serves all.
  expect(at("all")).toEqual([["STLB 128 × 12-way", 1536, 36]]);
});

test("a_map_has_the_machine_among_its_cells_and_says_what_is_compulsory", () => {
  const rows = Array.from({ length: 12 }, (_, k) => 2 ** k).flatMap((sets) =>
    Array.from({ length: 16 }, (_, w) => ({
      sets,
      ways: w + 1,
      misses: Math.max(10, Math.round(10_000 / (sets * (w + 1)))),
    })),
  );
  const surface = { accesses: 1, translations: 1, cold: 10, rows };
  const own = { sets: 64, ways: 5, entries: 320 };
  const grid = surfaceGrid(surface, own);
  expect(grid.sets).toEqual([8, 16, 32, 64, 128, 256]);
  expect(grid.ways).toEqual([1, 2, 4, 5, 6, 8, 12, 16]);
  const cells = grid.rows.flat();
  expect(cells[0]).toMatchObject({ misses: 1250, heat: 8, isCold: false });
  expect(cells.at(-1)).toMatchObject({ misses: 10, heat: 0, isCold: true });
});

test.each<
  [Partial<ArrayConfig>, Partial<ArrayConfig> | undefined, string | undefined]
>([
  [{}, undefined, undefined],
  [{}, { index: "low-bits", replacement: "lru" }, undefined],
  [
    { index: "xor", replacement: "mru3-plru4" },
    undefined,
    "The machine’s STLB has an xor index and mru3-plru4 replacement: its misses are not those of this map.",
  ],
  [
    { replacement: "fifo" },
    { index: "low-bits" },
    "The machine’s STLB has fifo replacement: its misses are not those of this map.",
  ],
  [
    { index: "xor" },
    { index: "xor", entries: 6144 },
    "The STLB that you try has an xor index: its counts are under “Effect”, not in this map.",
  ],
])("a_map_of_low_bits_and_lru_says_how_%j_tried_as_%j_differs", (...each) => {
  const [own, tried, text] = each;
  const array = { entries: 1536, ways: 12 };
  const place = { name: "STLB", array: { ...array, ...own } };
  expect(rulesNote(place, tried && { ...array, ...tried })).toBe(text);
});

test.each([
  [{ sets: 64, ways: 4, entries: 256 }, undefined],
  [undefined, undefined],
  [
    { sets: 64, ways: 20, entries: 1280 },
    "The map ends before 64 sets × 20 ways, which you try.",
  ],
])("a_shape_%j_that_the_map_lacks_is_told", (tried, text) => {
  const grid = { sets: [64], ways: [1, 4], rows: [], least: 0, most: 0 };
  expect(missingShape(grid, tried)).toBe(text);
});

test("cells_at_the_top_of_a_cliff_differ_and_the_cliff_shows", () => {
  const misses = [14_000, 12_500, 12_100, 11_900, 2200, 2100];
  const rows = misses.map((n, k) => ({ sets: 2 ** k, ways: 1, misses: n }));
  const full = rows.flatMap((row) =>
    [1, 2, 4, 6, 8, 12, 16].map((ways) => ({ ...row, ways })),
  );
  const surface = { accesses: 1, translations: 1, cold: 1, rows: full };
  const own = { sets: 8, ways: 1, entries: 8 };
  const heats = surfaceGrid(surface, own).rows.map(([cell]) => cell?.heat);
  expect(heats).toEqual([8, 7, 7, 6, 1, 0]);
});

test.each([
  [100, 80, "-20", "−20.0 %"],
  [100, 103, "+3", "+3.0 %"],
  [1e6, 1e6 + 1, "little more", "< +0.01 %"],
  [1e6, 1e6 - 1, "little less", "> −0.01 %"],
  [5, 5, "same", "no change"],
  [0, 5, "new", "new"],
  [5, undefined, "unknown", "–"],
])("from_%s_to_%s_is_told", (before, after, _name, text) => {
  expect(changeText(before, after)).toBe(text);
});

test.each([
  [
    101,
    100,
    "All but one of the remaining walks are compulsory: a larger TLB cannot help. Larger pages can.",
  ],
  [
    100,
    100,
    "All of the remaining walks are compulsory: a larger TLB cannot help. Larger pages can.",
  ],
  [
    500,
    100,
    "400 of 500 walks are for pages seen before: a larger TLB or larger pages could avoid them.",
  ],
  [0, 0, "There are no walks left to save."],
  [7, undefined, "7 walks are left."],
])("%s_walks_of_which_%s_are_compulsory_mean", (walks, cold, text) => {
  const before = report(1000);
  expect(verdict({ before, after: report(walks), cold })).toBe(text);
});

test("a_change_that_does_nothing_is_said_to", () => {
  const same = report(500);
  expect(verdict({ before: same, after: same, cold: 100 })).toMatch(
    /^This changes nothing on this trace\. 400 of 500 walks/,
  );
});

test("an_array_that_lists_nothing_serves_everything", () => {
  const array: ArrayConfig = { entries: 4 };
  const any = withDefaults({ l1: [{ ...array }] });
  expect(usualArray(any, ["fetch", "load", "store"], "1G")?.id).toBe("l1[0]");
});

test("masks_return_with_their_number_of_sets", () => {
  const index = { "xor-masks": ["0x5", "0xa"] };
  const own = withDefaults({ l1: [{ entries: 16, ways: 4, index }] });
  const place = { level: "l1", at: 0 } as const;
  const other = withShape(own, place as never, 8, 4, own);
  expect(other.l1[0]?.index).toBe("low-bits");
  expect(withShape(other, place as never, 4, 4, own).l1[0]?.index).toEqual(
    index,
  );
});
