import { expect, test } from "vitest";
import { withDimensions } from "../../../src/model/code/about";
import { lineFinder, lineTable } from "../../../src/model/code/lines";

const NONE = {
  accesses: 0,
  l1_misses: 0,
  walks: 0,
  faults: 0,
  exceptions: 0,
  l2_hit_cycles: 0,
  l2_miss_cycles: 0,
  walk_cycles: 0,
};

const row = (file: string, line: number, walks: number) => ({
  ...NONE,
  name: "",
  region: "",
  inferred: false,
  start: "0x400010",
  end: "0x400011",
  file,
  line,
  accesses: 10,
  l1_misses: walks,
  walks,
  walk_cycles: 5 * walks,
});

const table = (...rows: ReturnType<typeof row>[]) => {
  const walks = rows.reduce((sum, each) => sum + each.walks, 0);
  const lines = { rows, n_others: 0, others: NONE, unknown: NONE };
  return { lines, total: { ...NONE, accesses: 40, l1_misses: 8, walks } };
};

test("lines_of_the_code_are_in_order_and_libraries_stand_apart", () => {
  const view = table(
    row("main.c", 9, 1),
    row("/usr/stdio.c", 7, 3),
    row("main.c", 7, 4),
  );
  const found = lineTable(view, ["/usr/stdio.c", "main.c"]);
  expect(found.elsewhere).toBe(3);
  expect(found.lines).toEqual([
    {
      line: 7,
      file: "main.c",
      counts: { accesses: 10, misses: 4, walks: 4, cycles: 20 },
    },
    {
      line: 9,
      file: "main.c",
      counts: { accesses: 10, misses: 1, walks: 1, cycles: 5 },
    },
  ]);
});

test("all_lines_of_JavaScript_are_those_of_the_code", () => {
  const found = lineTable(table(row("", 8, 2)));
  expect(found.lines.map(({ line, file }) => [line, file])).toEqual([[8, ""]]);
  expect(found.elsewhere).toBe(0);
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
