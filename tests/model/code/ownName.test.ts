import { expect, test } from "vitest";
import { withOwnName } from "../../../src/model/code/examples";
import { PROGRAM_EXAMPLES } from "../../../src/model/code/programExamples";

const [rows] = PROGRAM_EXAMPLES;
if (!rows) throw new Error("There is no example.");
const { name, code, build } = rows;

const OTHER = "int main() { return 1; }";

test.each([
  ["a text of its own", name, { code: OTHER }, "my program"],
  ["one more line", name, { code: `${code}\n// more` }, undefined],
  [
    "a slider",
    name,
    { code: code.replace("ROWS 2048", "ROWS 256") },
    undefined,
  ],
  ["a name that was typed", "mine", { code: OTHER }, undefined],
  ["a new name", name, { name: "mine", code: OTHER }, "mine"],
  ["a build", name, { build: undefined }, undefined],
])("the_name_of_an_example_after_%s", (_what, before, part, expected) =>
  expect(withOwnName({ name: before, code, build }, part).name).toBe(expected),
);
