import { expect, test } from "vitest";
import { withDimensions } from "../../../src/model/code/about";
import { lineFinder, lineTable } from "../../../src/model/code/lines";

const NONE = {
  accesses: 0,
  l1_misses: 0,
  walks: 0,
  faults: 0,
  exceptions: 0,
  l2_miss_cycles: 0,
  walk_cycles: 0,
};

const row = (at: number, walks: number) => ({
  ...NONE,
  name: "",
  region: "",
  inferred: false,
  start: `0x${(0x400000 + at).toString(16)}`,
  end: `0x${(0x400000 + at + 1).toString(16)}`,
  accesses: 10,
  l1_misses: walks,
  walks,
  walk_cycles: 5 * walks,
});

const ABOUT = {
  files: ["/usr/stdio.c", "main.c"],
  // Two instructions of line 7, one of line 9, one of a library.
  sites: [
    ["load", 8, 0, 16],
    ["store", 8, 0, 24],
    ["load", 8, 0, 32],
    ["load", 8, 0, 40],
  ],
  places: [
    [1, 7, 0],
    [1, 7, 0],
    [1, 9, 0],
    [0, 7, 1],
  ],
} as const;

test("instructions_of_a_line_are_added_up_and_libraries_stand_apart", () => {
  const rows = [row(16, 4), row(24, 0), row(32, 1), row(40, 3)];
  const total = { ...NONE, accesses: 40, l1_misses: 8, walks: 8 };
  const table = lineTable(
    { instructions: { rows, n_others: 0, others: NONE, unknown: NONE }, total },
    ABOUT,
  );
  expect(table.elsewhere).toBe(3);
  expect(
    table.lines.map(({ line, counts, walking }) => [line, counts, walking]),
  ).toEqual([
    [
      7,
      { accesses: 20, misses: 4, walks: 4, cycles: 20 },
      [{ start: 0x400010n, end: 0x400011n }],
    ],
    [
      9,
      { accesses: 10, misses: 1, walks: 1, cycles: 5 },
      [{ start: 0x400020n, end: 0x400021n }],
    ],
  ]);
});

test("a_line_of_JavaScript_is_a_page_of_instructions", () => {
  expect(lineFinder(undefined)(0x408000n)).toBe(8);
});

test.each([
  ["b", ["static double a[N], b[N][N];"], "b[N][N]"],
  ["b", ["  b[i][j] = 3;", "double b[8];"], "b[8]"],
  ["b", ["int n;", "  x = b[i];"], "b"],
])("the_global_%s_in_%j_is_%s", (name, lines, expected) => {
  expect(withDimensions(name, lines)).toBe(expected);
});
