import { expect, test } from "vitest";
import { wrapped } from "../../../src/views/shared/picture/caption";

test.each([
  ["", 5, []],
  ["a b c", 5, ["a b c"]],
  ["a b c", 3, ["a b", "c"]],
  ["longword b", 3, ["longword", "b"]],
])("%s_in_a_width_of_%s", (text, width, lines) => {
  expect(wrapped(text, width, ({ length }) => length)).toEqual(lines);
});
