import { expect, test } from "vitest";
import { chartLayout } from "../../../src/model/shared/chart/layout";
import {
  dataTableCsv,
  inOrder,
  nextOrder,
} from "../../../src/model/shared/dataTable";
import type { Column } from "../../../src/model/shared/dataTable";
import {
  coverRow,
  growthChart,
  popularityChart,
} from "../../../src/model/samples/popularity";
import {
  isMeasured,
  levelParts,
  levelsIn,
  pageCounts,
  walkedShare,
} from "../../../src/model/samples/levels";
import { adviceOf, densities } from "../../../src/model/samples/ranges";
import {
  areFew,
  countColumns,
  estimateColumns,
  estimateNotes,
  groupingsOf,
  omittedText,
  rangeColumns,
} from "../../../src/model/samples/tables";
import {
  periodText,
  regionText,
  rowName,
  sidesOf,
  sourceText,
} from "../../../src/model/samples/text";
import {
  counts,
  data,
  event,
  faults,
  heap,
  report,
  row,
  sampling,
} from "../../views/samples/data";

interface Fruit {
  readonly name: string;
  readonly n: number | undefined;
}
const FRUIT: readonly Column<Fruit>[] = [
  { id: "name", head: "Name", text: (f) => f.name, value: (f) => f.name },
  {
    id: "n",
    head: "n, in all",
    isNumber: true,
    text: (f) => `${f.n ?? "–"} pieces`,
    value: (f) => f.n,
  },
];
const fruit: readonly Fruit[] = [
  { name: "pear10", n: 2 },
  { name: "pear9", n: undefined },
  { name: "Apple", n: 30 },
  { name: "fig", n: 2 },
];

test.each([
  [undefined, "pear10 pear9 Apple fig"],
  [{ column: "name", direction: "ascending" }, "Apple fig pear9 pear10"],
  [{ column: "name", direction: "descending" }, "pear10 pear9 fig Apple"],
  // Unknown values come last in both orders; equal rows keep their order.
  [{ column: "n", direction: "ascending" }, "pear10 fig Apple pear9"],
  [{ column: "n", direction: "descending" }, "Apple pear10 fig pear9"],
  [{ column: "gone", direction: "ascending" }, "pear10 pear9 Apple fig"],
] as const)("rows_are_put_in_order %o", (order, expected) => {
  const names = inOrder(fruit, FRUIT, order).map(({ name }) => name);
  expect(names.join(" ")).toBe(expected);
});

test("a_click_on_a_head_begins_with_its_natural_order", () => {
  const [name, n] = FRUIT as [Column<Fruit>, Column<Fruit>];
  const first = nextOrder(n, undefined);
  expect(first).toEqual({ column: "n", direction: "descending" });
  expect(nextOrder(n, first).direction).toBe("ascending");
  expect(nextOrder(n, nextOrder(n, first))).toEqual(first);
  expect(nextOrder(name, first)).toEqual({
    column: "name",
    direction: "ascending",
  });
});

test("csv_has_numbers_in_full", () => {
  expect(dataTableCsv(FRUIT, fruit.slice(0, 2))).toBe(
    'Name,"n, in all"\npear10,2\npear9,\n',
  );
});

test("level_1_or_2_is_a_class_of_its_own", () => {
  const parts = levelParts(data.total);
  expect(
    parts.map(({ of, from, share }) => `${of.word} ${from} ${share}`),
  ).toEqual(["L1 or L2 hit 0 0.7", "walk 0.7 0.3"]);
  expect(walkedShare(data.total)).toBe(0.3);
  const amd = counts({ l1: 60, l2: 20, walk: 10, fault: 5, unknown: 5 });
  expect(levelsIn(amd).map(({ word }) => word)).toEqual([
    "L1 hit",
    "L2 hit",
    "walk",
    "fault",
    "unknown",
  ]);
  // The share counts faults as walks, and leaves out unknown levels.
  expect(walkedShare(amd)).toBeCloseTo(15 / 95);
});

test("what_was_not_measured_is_not_shown_as_a_hit", () => {
  expect(isMeasured(faults.total)).toBe(false);
  expect(walkedShare(faults.total)).toBeUndefined();
  const heads = countColumns(faults, "regions").map(({ head }) => head);
  expect(heads).toEqual(["Region", "samples", "share", "4K pages"]);
  const [known, unknown] = data.pages;
  expect(known && pageCounts(known, data).levels).toMatchObject({
    no_walk: 60,
    walk: 20,
  });
  expect(unknown && pageCounts(unknown, data).levels.unknown).toBe(20);
});

test("tables_have_the_columns_that_say_anything", () => {
  expect(groupingsOf(data)).toEqual([
    "regions",
    "symbols",
    "pages",
    "page_sizes",
  ]);
  const columns = countColumns(data, "regions");
  expect(columns.map(({ head }) => head)).toEqual([
    "Region",
    "samples",
    "share",
    "L1 or L2 hit",
    "walk",
    "mean cycles",
    "4K pages",
  ]);
  const [first] = data.regions.rows;
  const cells = first ? columns.map(({ text }) => text(first)) : [];
  expect(cells).toEqual([
    "[heap] (heap)",
    "80",
    "80.0 %",
    "62.5 %",
    "37.5 %",
    "250",
    "30",
  ]);
  expect(omittedText(data.symbols, data)).toBe(
    "2 more rows have 70.0 % of the events.",
  );
  expect(omittedText(data.regions, data)).toBe("");
  expect(rangeColumns(data).map(({ head }) => head)).toEqual([
    "2M range",
    "region",
    "samples",
    "share",
    "walked",
    "4K pages of 512",
    "is",
    "mapped",
  ]);
});

test("names_say_what_is_guessed_and_what_is_not_known", () => {
  expect(regionText(heap)).toBe("[heap] (heap)");
  expect(regionText({ name: "stack", kind: "stack", inferred: true })).toBe(
    "stack, guessed",
  );
  const mapped = { name: "0x1000–0x3000", kind: "anonymous" } as const;
  expect(regionText({ ...mapped, inferred: false })).toBe(
    "anonymous 0x1000–0x3000",
  );
  expect(regionText({ name: "kernel", kind: null, inferred: false })).toBe(
    "kernel",
  );
  expect(rowName(row({}))).toBe("unknown");
  expect(rowName(row({ file: "/bin/ls" }))).toBe("in /bin/ls");
});

test("every_number_can_be_told_where_it_is_from", () => {
  expect(sourceText(data, sampling)).toBe(
    "100 samples · cpu/mem-loads,ldlat=30/P, one of 2,000 · 12 lost",
  );
  expect(sourceText(faults, { ...sampling, lost: 0 })).toBe(
    "10 samples · page-faults, every one · none lost",
  );
  expect(periodText(event({ period: null, frequency: 4000 }))).toBe(
    "4,000 a second",
  );
  expect(sidesOf(report)).toEqual(["data", "faults"]);
});

test("advice_counts_what_is_outside_huge_pages", () => {
  expect(adviceOf("data", data)).toEqual([
    "3 ranges of 2M are touched. Of the walks outside huge pages, 50 % are in 1, 90 % in 2 and 99 % in 2 of them.",
    "1 range in this list has samples on at least half of its pages: a huge page there wastes little.",
  ]);
  const none = { ...data, ranges: { ...data.ranges, gain: 0 } };
  expect(adviceOf("data", none)).toEqual([
    "3 ranges of 2M are touched. All walks are in huge pages already: nothing to gain.",
  ]);
  expect(adviceOf("faults", faults)[0]).toContain("Of the page faults");
  expect(adviceOf("code", data).at(-1)).toContain(
    "CONFIG_READ_ONLY_THP_FOR_FS",
  );
});

test("a_strip_has_a_number_for_each_four_pages", () => {
  expect(densities("80f7")).toEqual([1, 0, 4, 3]);
});

test("rates_that_too_few_samples_give_are_not_told", () => {
  const few = { ...data, once: 0.4 };
  expect([areFew(data), areFew(few)]).toEqual([false, true]);
  const rate = estimateColumns(({ all_fit: fits }) => !fits).find(
    ({ id }) => id === "rate",
  );
  expect(data.estimates.map((each) => rate?.text(each))).toEqual([
    "90.0 %",
    "unknown",
  ]);
  expect(estimateNotes("data", few).map((note) => note.split(":")[0])).toEqual([
    "If all sampled pages fit, a rate is near 100 %; pages without samples are unknown.",
    "Too few samples",
    "Only slow accesses were sampled, and misses are more frequent among them than among all.",
  ]);
});

test("popularity_is_a_chart_with_the_machine_s_tlbs_on_it", () => {
  const chart = popularityChart("data", data);
  expect(chart.marks).toEqual([{ x: 64, label: "L1 TLB" }]);
  expect(chart.series.map(({ name, points }) => [name, points])).toEqual([
    [
      "4K pages",
      [
        [1, 8],
        [40, 100],
      ],
    ],
    [
      "2M pages",
      [
        [1, 80],
        [2, 100],
      ],
    ],
  ]);
  const { lines } = chartLayout(chart, { width: 600, height: 300 });
  expect(lines.every(({ points }) => points.length === 2)).toBe(true);
  const [small] = data.popularity;
  expect(small && coverRow(small)).toEqual({
    pages: "4K",
    total: "40",
    memory: "160 KiB",
    cover: ["9", "30", "40"],
  });
});

test("first_touches_show_how_memory_grew", () => {
  const timed = growthChart(faults, 2.5e9);
  expect(timed.x.label).toBe("time, ms");
  expect(timed.series[0]?.points).toEqual([
    [0, 0],
    [1250, 30],
    [2500, 40],
  ]);
  const untimed = growthChart(faults, null);
  expect(untimed.x.label).toBe("% of the samples");
  expect(untimed.series[0]?.points.at(-1)).toEqual([100, 40]);
});
