import { expect, test } from "vitest";
import type { Figure } from "../../../src/engine/generated/Figure";
import type { ResultTable } from "../../../src/engine/generated/ResultTable";
import type { Row } from "../../../src/engine/generated/Row";
import type { Verdict } from "../../../src/engine/generated/Verdict";
import {
  comparedTable as comparedWith,
  rowVerdict,
  worstVerdict,
} from "../../../src/model/experiments/comparison";
import { chartCsv, tableCsv } from "../../../src/model/experiments/resultCsv";
import { csv, fileName } from "../../../src/model/shared/csv";
import {
  progressText,
  publishedText,
  stateText,
  tallyText,
} from "../../../src/model/experiments/state";
import {
  exact,
  powerOfTen,
  quantity,
} from "../../../src/model/shared/quantity";
import { chart, info, result, table } from "../../pictures/experiment";

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

const comparedTable = (of: ResultTable) => comparedWith(of, info.sources);

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
  expect(rows.map(({ derived }) => [derived?.text, derived?.more])).toEqual([
    ["0", undefined],
    ["0.9581", undefined],
    [undefined, undefined],
  ]);
  const [first, ...rest] = table.rows;
  const other = { ...first, derived: { text: "0", value: 0 } } as Row;
  const mixed = comparedTable({ ...table, rows: [other, ...rest] });
  expect(mixed.formula).toBeUndefined();
  expect(mixed.rows[1]?.derived?.more).toBe("1 − ways ÷ pages");
});

const rowWith = (simulated: number | undefined, published: Figure): Row => ({
  case: [],
  quantity: "walks",
  unit: "",
  ...(simulated !== undefined && { simulated }),
  published,
});

const compared = (row: Row) =>
  comparedTable({ title: "", cases: [], rows: [row] });

const value = (value: number): Figure => ({ text: "", value });
const from = (from: number): Figure => ({
  text: "falls",
  change: { from, direction: "falls" },
});

test.each([
  [1, value(1), "0"],
  [0.9583, value(0.9581), "+0.02 %"],
  [0.9583, value(1.017), "−5.8 %"],
  [0, value(1), "−100 %"],
  [0.33, value(0), "+0.3300"],
  [130053, value(130048), "< 0.01 %"],
  [50, value(2), "× 25"],
  [2, from(1), "+100 % change"],
  [1, from(1), "no change"],
  [1, { text: "8.1 ns for all" }, undefined],
  [undefined, value(1), undefined],
] as const)("%s_differs_from_%o_by_%s", (simulated, figure, text) => {
  const [row] = compared(rowWith(simulated, figure)).rows;
  expect(row?.published?.difference).toBe(text);
});

test.each([
  [{ text: "3.61", value: 3.61, error: 0.005 }, "± 0.005 by rounding"],
  [{ text: "1.017 ± 0.244", value: 1.017, error: 0.244 }, undefined],
  [{ text: "falls" }, undefined],
  [
    { text: "14", caveat: "cannot-be-looked-up" },
    "reported; cannot be looked up, so no verdict",
  ],
  [
    { text: "24", value: 24, error: 0.5, caveat: "follows-from-configuration" },
    "± 0.5 by rounding; follows from the configuration",
  ],
] as const)("the_error_of_%o_is_told_as_%s", (figure, more) => {
  const [row] = compared(rowWith(1, figure)).rows;
  expect(row?.published?.more).toBe(more);
});

test("a_published_figure_has_its_source_and_its_place", () => {
  const { rows } = comparedTable(table);
  expect(rows[1]?.published).toMatchObject({
    source: info.sources[0],
    at: "table 2",
  });
});

test("columns_that_no_row_fills_are_left_out", () => {
  const bare = { case: [], quantity: "walks", unit: "" };
  const none = { derived: false, published: false, expectation: false };
  expect(compared(bare).has).toEqual({
    ...none,
    simulated: false,
    judgements: false,
    difference: none,
  });
});

test("a_verdict_says_what_it_is_on", () => {
  const { rows } = comparedTable(table);
  expect(rows.map(({ judgements }) => judgements)).toEqual([
    [{ verdict: "agrees", text: "agrees with derived" }],
    [
      { verdict: "agrees", text: "agrees with derived" },
      { verdict: "agrees", text: "agrees with published, within ± 0.244" },
    ],
    [{ verdict: "differs", text: "differs from published" }],
  ]);
  const vague: Figure = { text: "18.7 ± 83", verdict: "undecided" };
  expect(compared(rowWith(1, vague)).rows[0]?.judgements).toEqual([
    { verdict: "undecided", text: "undecided: too large an error" },
  ]);
});

test("the_worst_verdict_is_that_of_the_row_and_of_the_experiment", () => {
  const [agreeing, both, differing] = table.rows as [Row, Row, Row];
  expect([agreeing, differing].map(rowVerdict)).toEqual(["agrees", "differs"]);
  const undecided: Row = {
    ...both,
    published: { text: "18.7 ± 83", verdict: "undecided" },
  };
  expect(rowVerdict(undecided)).toBe("undecided");
  const of = (rows: Row[]) => worstVerdict([{ ...table, rows }]);
  expect(of([agreeing, undecided])).toBe("undecided");
  expect(of([])).toBeUndefined();
  expect(of([agreeing, both, differing])).toBe("differs");
});

const judged = (
  published: Partial<Figure>,
  verdict: Verdict = "agrees",
): Row => ({
  case: [],
  quantity: "walks",
  unit: "",
  published: { text: "1", verdict, ...published },
});

const onPaper: Row = {
  case: [],
  quantity: "walks",
  unit: "",
  derived: { text: "1", verdict: "agrees" },
  expectation: { text: "1", verdict: "differs" },
};

test.each<[rows: Row[], text: string]>([
  [table.rows, "published: 1 agrees, 1 differs; derived: 2 agree"],
  [
    [onPaper],
    "published: no verdict; derived: 1 agrees; our expectation: 0 agree, 1 differs",
  ],
  [[judged({}, "undecided")], "published: 0 agree, 1 undecided"],
  [
    [judged({ caveat: "tests-hypothesis" })],
    "published: no verdict; tests of hypotheses: 1 agrees",
  ],
  [
    [judged({ caveat: "follows-from-configuration" })],
    "published: no verdict; from the configuration: 1 agrees",
  ],
  [
    [judged({ caveat: "of-simulation" }, "differs")],
    "published: no verdict; another simulation: 0 agree, 1 differs",
  ],
  [[], "no numbers to compare"],
])("%#_each_kind_of_evidence_is_counted_apart", (rows, text) => {
  expect(tallyText({ tables: [{ ...table, rows }] })).toBe(text);
});

test("published_numbers_and_directions_of_all_results_are_counted_apart", () => {
  const number = { ...result, tables: [{ ...table, rows: [judged({})] }] };
  const all = [result, number];
  expect(publishedText(all, "numbers")).toBe("2 agree");
  expect(publishedText(all, "directions")).toBe("0 agree, 1 differs");
  expect(publishedText([], "numbers")).toBe("no verdict");
});

test("states_are_told_in_words", () => {
  const progress = { done: 1204224, total: 4406160, rate: 2.4e6 };
  const text = "1,204,224 of 4,406,160 accesses · 2.4 M/s";
  expect(progressText(progress)).toBe(text);
  expect(
    [
      { status: "waiting" } as const,
      { status: "running", progress } as const,
      { status: "done", result, seconds: 1 } as const,
      { status: "cancelled" } as const,
      { status: "failed", why: "" } as const,
    ].map(stateText),
  ).toEqual([
    "waiting in the queue",
    text,
    "published: 1 agrees, 1 differs; derived: 2 agree",
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
    `bytes,pages,quantity,unit,simulated,derived,published,published error,published as,source,place,expectation,verdict on derived,verdict on published,verdict on expectation,deviation from published,hypothesis,note
"1,000",4K,L1 dTLB misses,per read,0,0,,,,,,,agrees,,,,,
"1,000",4K,page walks,per read,0.9583,0.9581,1.017,0.244,1.017 ± 0.244,pages,table 2,,agrees,agrees,,-0.0577,,
"1,000",2M,page walks,,381.4697265625,,,,falls,pages,table 3,,,differs,,0.2716,A real core overlaps them.,
`,
  );
});

test("a_chart_as_csv_has_a_line_for_each_point", () => {
  const lines = chartCsv(chart).split("\n");
  expect(lines[0]).toBe("series,kind,bytes of the array,walks per read,error");
  expect(lines.at(-2)).toBe('"measured, 4K",published,100000000,1.017,0.244');
  expect(lines).toHaveLength(9);
});

test("a_title_becomes_the_name_of_a_file", () => {
  expect(fileName("byte-array", "L1 dTLB: misses, 4K")).toBe(
    "byte-array-l1-dtlb-misses-4k",
  );
});
