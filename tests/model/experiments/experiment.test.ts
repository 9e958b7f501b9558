import { expect, test } from "vitest";
import type { Row } from "../../../src/engine/generated/Row";
import {
  comparedTable,
  tally,
} from "../../../src/model/experiments/comparison";
import {
  chartCsv,
  csv,
  fileName,
  tableCsv,
} from "../../../src/model/shared/csv";
import { progressText, stateText } from "../../../src/model/experiments/state";
import {
  exact,
  powerOfTen,
  quantity,
} from "../../../src/model/shared/quantity";
import { chart, result, table } from "../../pictures/experiment";

test.each([
  [0, "0", "0"],
  [1073741824, "1,073,741,824", "1,073,741,824"],
  [195312.5, "195,312.5", "195,312.5"],
  [381.4697265625, "381.5", "381.4697265625"],
  [20.143, "20.14", "20.143"],
  [0.9583, "0.9583", "0.9583"],
  [0.00390625, "0.003906", "0.00390625"],
  [-2.5, "−2.500", "−2.5"],
  [2.5e-7, "0.0000002500", "0.00000025"],
  [Number.NaN, "–", "–"],
])("%d_is_written_as_%s_and_in_full_as_%s", (n, short, full) => {
  expect(quantity(n)).toBe(short);
  expect(exact(n)).toBe(full);
});

test("powers_of_ten_have_raised_digits", () => {
  expect([3, 0, -5].map(powerOfTen)).toEqual(["10³", "10⁰", "10⁻⁵"]);
});

test("a_case_stands_once_for_all_rows_below_it", () => {
  const { rows } = comparedTable(table);
  expect(rows.map(({ cases }) => cases.map((cell) => cell?.span))).toEqual([
    [3, 2],
    [undefined, undefined],
    [undefined, 1],
  ]);
});

test("a_formula_that_all_rows_share_is_told_once", () => {
  const { formula, rows } = comparedTable(table);
  expect(formula).toBe("1 − ways ÷ pages");
  expect(rows.map(({ paper }) => paper)).toEqual([
    { text: "0", more: undefined },
    { text: "0.9581", more: undefined },
    undefined,
  ]);
  const [first, ...rest] = table.rows;
  const other = { ...first, expected: { text: "0", value: 0 } } as Row;
  const mixed = comparedTable({ ...table, rows: [other, ...rest] });
  expect(mixed.formula).toBeUndefined();
  expect(mixed.rows[1]?.paper?.more).toBe("1 − ways ÷ pages");
});

const row = (simulated: number, expected: number, published?: number): Row => ({
  case: [],
  quantity: "walks",
  unit: "",
  simulated,
  expected: { text: "", value: expected },
  ...(published !== undefined && {
    published: { text: "", value: published },
  }),
});

test.each([
  [row(1, 1), "0", undefined],
  [row(0.9583, 0.9581), "+0.02 %", undefined],
  [row(0.9583, 0.9581, 1.017), "+0.02 %", "−5.8 %"],
  [row(0, 1), "−100 %", undefined],
  [row(0.33, 0), "+0.3300", undefined],
  [row(130053, 130048), "< 0.01 %", undefined],
  [row(50, 2), "× 25", undefined],
])(
  "%o_is_%s_from_paper_and_%s_from_what_was_published",
  (each, paper, published) => {
    const [compared] = comparedTable({
      title: "",
      cases: [],
      rows: [each],
    }).rows;
    expect(compared?.fromPaper).toBe(paper);
    expect(compared?.fromPublished).toBe(published);
  },
);

test.each([
  [24, [24, 24], undefined],
  [1, [0.99, 1.01], "0.99 to 1.01 agree"],
  [undefined, [2, 3], "2 to 3 agree"],
] as const)(
  "of_%s_published_%o_agree_which_is_told_as_%s",
  (value, range, more) => {
    const [least, most] = range;
    const published = { text: "", range: [least, most] as [number, number] };
    const each: Row = {
      case: [],
      quantity: "walks",
      unit: "",
      simulated: 1,
      published: value === undefined ? published : { ...published, value },
    };
    const { rows } = comparedTable({ title: "", cases: [], rows: [each] });
    expect(rows[0]?.published?.more).toBe(more);
  },
);

test("columns_that_no_row_fills_are_left_out", () => {
  const bare = { case: [], quantity: "walks", unit: "", simulated: 1 };
  expect(comparedTable({ title: "", cases: [], rows: [bare] }).has).toEqual({
    paper: false,
    fromPaper: false,
    published: false,
    fromPublished: false,
    agreements: false,
  });
});

test("agreement_says_what_it_was_held_against", () => {
  const { rows } = comparedTable(table);
  expect(rows.map(({ agreements }) => agreements)).toEqual([
    [{ agrees: true, how: "within 1\u00a0% of paper" }],
    [
      { agrees: true, how: "within 1\u00a0% of paper" },
      { agrees: true, how: "in the published range" },
    ],
    [{ agrees: false, how: "in the published direction" }],
  ]);
  const both = {
    ...row(10, 10, 12),
    tolerance: "exact",
    agrees: false,
  } as const satisfies Row;
  const published = {
    text: "12",
    value: 12,
    range: [11, 13] as [number, number],
  };
  const [compared] = comparedTable({
    title: "",
    cases: [],
    rows: [{ ...both, published }],
  }).rows;
  expect(compared?.agreements).toEqual([
    { agrees: true, how: "exactly as on paper" },
    { agrees: false, how: "in the published range" },
  ]);
});

test("rows_that_agree_are_counted", () => {
  expect(tally([table])).toEqual({ agree: 2, compared: 3 });
});

test("states_are_told_in_words", () => {
  const progress = { done: 1204224, total: 4406160, rate: 2.4e6 };
  const text = "1,204,224 of 4,406,160 accesses · 2.4 M/s";
  expect(progressText(progress)).toBe(text);
  expect(
    [
      undefined,
      { status: "waiting" } as const,
      { status: "running", progress } as const,
      { status: "done", result } as const,
      { status: "cancelled" } as const,
      { status: "failed", why: "" } as const,
    ].map(stateText),
  ).toEqual([
    "not run yet",
    "waiting in the queue",
    text,
    "2 of 3 compared numbers agree",
    "cancelled",
    "failed",
  ]);
});

test("csv_quotes_what_would_end_a_cell", () => {
  expect(csv([["a,b", 'say "x"', 1.5, undefined]])).toBe(
    '"a,b","say ""x""",1.5,\n',
  );
});

test("a_table_as_csv_has_every_number_in_full", () => {
  expect(tableCsv(table)).toBe(
    `bytes,pages,quantity,unit,simulated,on paper,published,published as,agrees,tolerance,note
"1,000",4K,L1 dTLB misses,per read,0,0,,,yes,tight,
"1,000",4K,page walks,per read,0.9583,0.9581,1.017,1.017 ± 0.244,yes,tight,
"1,000",2M,page walks,,381.4697265625,,,rises,no,sign,A real core overlaps them.
`,
  );
});

test("a_chart_as_csv_has_a_line_for_each_point", () => {
  const lines = chartCsv(chart).split("\n");
  expect(lines[0]).toBe("series,kind,bytes of the array,walks per read");
  expect(lines.at(-2)).toBe('"measured, 4K",published,100000000,1.017');
  expect(lines).toHaveLength(9);
});

test("a_title_becomes_the_name_of_a_file", () => {
  expect(fileName("byte-array", "L1 dTLB: misses, 4K")).toBe(
    "byte-array-l1-dtlb-misses-4k",
  );
});
