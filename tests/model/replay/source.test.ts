import { expect, test } from "vitest";
import { placeText, sourceLines } from "../../../src/model/replay/source";

const view = {
  function: "walk",
  file: "/home/me/main.c",
  line: 3,
  lines: [
    { line: 1, text: "a;" },
    { line: 3, text: "b;" },
    { line: 8, text: "c;" },
  ],
};

test("the_lines_are_those_of_the_code_where_it_is_at_hand", () => {
  const code = "one\ntwo\nthree  \nfour\nfive";
  expect(sourceLines(view, code, 1)).toEqual([
    { line: 2, text: "two" },
    { line: 3, text: "three" },
    { line: 4, text: "four" },
  ]);
  expect(sourceLines({ ...view, file: "lib.c" }, code, 0)).toEqual([
    { line: 3, text: "b;" },
  ]);
});

test("without_the_code_the_lines_are_those_that_the_trace_knows", () => {
  const lines = sourceLines(view, undefined, 1).map(({ line }) => line);
  expect(lines).toEqual([1, 3, 8]);
});

test.each([
  ["walk", "/home/me/main.c", "main.c:3, walk"],
  ["", "C:\\src\\a.c", "a.c:3"],
  ["", "", "line 3"],
])("the_function_%s_in_%s_is_%s", (name, file, text) => {
  expect(placeText({ ...view, function: name, file })).toBe(text);
});
