/** Calls of libraries: their names, and the lines that they count for. */
import { expect, test } from "vitest";
import { heapNames } from "../../../src/model/code/heapNames";
import { callsByName, shortName } from "../../../src/model/code/libraryCalls";
import { lineTable, lineText } from "../../../src/model/code/lines";

test.each([
  ["malloc", "malloc"],
  ["operator new[](unsigned long)", "new"],
  ["operator delete(void*, unsigned long)", "delete"],
  [
    "int* std::__2::vector<int, std::__2::allocator<int>>::__emplace_back_slow_path<int const&>(int const&)",
    "vector",
  ],
  ["std::__2::map<int, int>::operator[][abi:nqn220100](int const&)", "map"],
  ["void std::__2::sort<int*>(int*, int*)", "sort"],
  ["__libcpp_allocate", "libcpp_allocate"],
])("the short name of %s", (name, short) => {
  expect(shortName(name)).toBe(short);
});

const LINES = [
  "  std::vector<int> w(10);",
  "  w.push_back(i);",
  "  int *p = new int[3];",
  "  m[i] = 1;",
  "  n = malloc(8);",
];
const about = {
  sites: [
    ["enter", 0, 0, 10],
    ["enter", 0, 0, 20],
    ["enter", 0, 1, 30],
    ["malloc", 0, 0, 30],
    ["enter", 0, 2, 40],
    ["enter", 0, 3, 50],
    ["malloc", 0, 0, 50],
    ["malloc", 0, 0, 60],
  ],
  places: [
    [0, 1, 0],
    [0, 2, 0],
    [0, 3, 0],
    [0, 3, 0],
    [0, 4, 0],
    [0, 5, 0],
    [0, 5, 0],
    [-1, 0, 1],
  ],
  names: ["main", "grow"],
  functions: [
    "std::__2::vector<int>::push_back(int const&)",
    "operator new[](unsigned long)",
    "std::__2::map<int, int>::operator[](int const&)",
    "malloc",
  ].map((name) => ({ name, start: "0x0", end: "0x1" })),
} as const;

test("blocks are named by what the line declares or fills, and by who allocates", () => {
  expect(heapNames(about, LINES)).toEqual([
    [10, "w (vector, line 1)"],
    [20, "w (vector, line 2)"],
    [30, "p (new, line 3)"],
    [40, "m (map, line 4)"],
    [50, "n (malloc, line 5)"],
    [60, "grow (malloc)"],
  ]);
});

const counts = (walks: number) => ({
  accesses: 10,
  l1_misses: walks,
  walks,
  faults: 0,
  exceptions: 0,
  l2_hit_cycles: 0,
  l2_miss_cycles: 0,
  walk_cycles: 0,
});

test("a library counts for the line that calls it", () => {
  const row = {
    ...counts(1),
    ...{ name: "", region: "", inferred: false, start: "0x0", end: "0x1" },
    ...{ file: "main.c", line: 2 },
  };
  const node = (name: string, walks: number) => ({
    ...{ name, parent: null, own: counts(walks), total: counts(walks) },
  });
  const found = lineTable(
    {
      lines: {
        rows: [row],
        n_others: 0,
        others: counts(0),
        unknown: counts(0),
      },
      total: { ...counts(9), accesses: 40 },
      calls: {
        nodes: [
          node("the program", 1),
          node("vector, called in line 2", 3),
          node("malloc, called in line 5", 4),
        ],
        ...{ n_others: 0, others: counts(0), unknown: counts(1) },
      },
    },
    ["main.c"],
    callsByName(about),
  );
  expect(found.lines.map(({ line, counts }) => [line, counts.walks])).toEqual([
    [2, 4],
    [5, 4],
  ]);
  expect(found.elsewhere).toBe(1);
  const [second] = found.lines;
  expect(second && lineText(second, found)).toContain(
    "3 walks in vector, called here",
  );
});
