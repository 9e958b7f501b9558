import { expect, test } from "vitest";
import { csv, withFacts } from "../../../src/model/shared/csv";

test.each([
  [
    [
      ["name", "n"],
      ["a", 1],
      ["b", undefined],
    ],
    "name,n,completeness\na,1,sampled\nb,,sampled\n",
  ],
  [
    [["name"], ['a "quoted"\nbreak']],
    'name,completeness\n"a ""quoted""\nbreak",sampled\n',
  ],
  [[["name"], ["a\rb"]], 'name,completeness\n"a\rb",sampled\n'],
  [[], ""],
])("what_is_said_of_all_rows_is_a_column_after_those_of_%j", (rows, text) => {
  expect(withFacts(csv(rows), { completeness: "sampled" })).toBe(text);
  expect(withFacts(csv(rows), {})).toBe(csv(rows));
});

test.each([
  ["a\rb", '"a\rb"'],
  ["a\r\nb", '"a\r\nb"'],
  ["a,b", '"a,b"'],
  ["@SUM(1+1)", "'@SUM(1+1)"],
  ["=A1,B1", `"'=A1,B1"`],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ["-2+3", "'-2+3"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ["-2", "-2"],
  [-2, "-2"],
  ["+1.5e3", "+1.5e3"],
  ["a=1", "a=1"],
])(
  "the_cell_of_%j_is_%j_which_no_spreadsheet_runs_or_splits",
  (value, text) => {
    expect(csv([[value]])).toBe(`${text}\n`);
    expect(withFacts("n\n1\n", { program: String(value) })).toBe(
      `n,program\n1,${text}\n`,
    );
  },
);
