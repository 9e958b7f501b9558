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
  [[], ""],
])("what_is_said_of_all_rows_is_a_column_after_those_of_%j", (rows, text) => {
  expect(withFacts(csv(rows), { completeness: "sampled" })).toBe(text);
  expect(withFacts(csv(rows), {})).toBe(csv(rows));
});
