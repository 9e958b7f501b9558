import { expect, test } from "vitest";
import type { ProgramShown } from "../../src/model/code/code";
import { hotLine } from "../../src/state/code/lines";

/** A run whose lines, from 1 on, have these walks. */
function withWalks(...walks: readonly number[]): ProgramShown {
  const rows = walks.map((walks, at) => ({ line: at + 1, file: "", walks }));
  const attribution = { lines: { rows }, total: { walks: 9 } };
  return { attribution, result: {} } as unknown as ProgramShown;
}

test.each([
  [withWalks(1, 7, 3), 2],
  [withWalks(0, 0), undefined],
  [withWalks(), undefined],
  [undefined, undefined],
])("the_line_with_most_walks_%#", (shown, line) => {
  expect(hotLine(shown)).toBe(line);
});
