import { expect, test } from "vitest";
import type { HugeAdvice } from "../../../src/engine/generated/HugeAdvice";
import type { HugeRow } from "../../../src/engine/generated/HugeRow";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import { withDefaults } from "../../../src/model/config/defaults";
import { AS_RECORDED, withPages } from "../../../src/model/config/pagePolicies";
import {
  adviceRows,
  adviceSentence,
  baseSize,
  mostSavedFirst,
  onlySize,
  pagesChoices,
  pickedText,
  shownSizes,
} from "../../../src/model/whatif/pages";
import type { SimulatedRow } from "../../../src/model/whatif/pages";
import {
  isSaving,
  savedBy,
  savedParts,
} from "../../../src/model/whatif/savings";
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

test("the_recorded_pages_are_the_first_choice_and_an_alternative", () => {
  const recorded = withPages(os, machine, AS_RECORDED);
  const names = (os: OsConfig) =>
    pagesChoices(os, machine, ["4K", "2M"], true).map(({ id, name }) =>
      id === "now" ? name : id,
    );
  expect(names(recorded)).toEqual(["as recorded", "4K", "thp", "2M"]);
  expect(names(os)).toEqual(["4K", "recorded", "thp", "2M"]);
  expect(onlySize(recorded)).toBeUndefined();
  expect(withPages(recorded, machine, "2M")).toEqual({ ...os, default: "2M" });
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
function row(
  name: string,
  [start, end]: readonly [string, string],
  huge_pages: number,
  miss_cycles: number,
): HugeRow {
  return {
    name,
    kind: "anonymous",
    inferred: false,
    start,
    end,
    huge_pages,
    walks: 0,
    miss_cycles,
    touched_bytes: huge_pages << 20,
    first_touches: {
      small_faults: 0,
      huge_faults: 0,
      more_ms: { low: 0, high: 0 },
    },
  };
}
const advice: HugeAdvice = {
  pages: "4K",
  huge: "2M",
  picks: [
    pick("0x400000", 60),
    pick("0x7f0000000000", 12),
    pick("0x600000", 6),
  ],
  points: [point(0, 100), point(1, 30), point(3, 5)],
  rows: [
    row("heap", ["0x400000", "0x800000"], 2, 660),
    row("stack", ["0x7f0000000000", "0x7f0000200000"], 1, 120),
  ],
  remedies: [],
};

test("advice_is_by_region_and_says_what_it_costs", () => {
  const rows = adviceRows(advice);
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
  const [heap, stack] = adviceRows(advice);
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
    const rows = advice.rows.map((row) => ({ ...row, huge_pages: 1 }));
    const [row] = adviceRows({
      ...advice,
      picks: advice.picks.slice(0, 1),
      rows: rows.map((row) => ({ ...row, touched_bytes: 1 << 20 })),
    });
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

test.each([
  ["complete", false, 5, undefined],
  ["complete", false, 0, "The trace has no accesses"],
  ["first-touches", false, 5, "First touches have no curves"],
  ["sampled", true, 5, "Samples have no curves"],
  ["sampled", false, 5, undefined],
] as const)(
  "of_a_%s_trace_gated_%s_of_%s_accesses",
  (completeness, gated, n, title) => {
    // The code under test uses no other field.
    const trace = { n_accesses: n, import: { completeness } } as TraceView;
    expect(curvesMissing(trace, gated)?.title).toBe(title);
  },
);
