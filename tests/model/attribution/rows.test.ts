import { expect, test } from "vitest";
import type { AttributionRow } from "../../../src/engine/generated/AttributionRow";
import type { AttributionView } from "../../../src/engine/generated/AttributionView";
import {
  attributionCsv,
  attributionRows,
  columnsOf,
  restRows,
  sameFilter,
  tablesOf,
} from "../../../src/model/attribution/rows";

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

function row(
  start: string,
  end: string,
  part: Partial<AttributionRow>,
): AttributionRow {
  return {
    name: "",
    region: "",
    inferred: false,
    start,
    end,
    ...NONE,
    ...part,
  };
}

const table = (rows: AttributionRow[]) => ({
  rows,
  n_others: 0,
  others: NONE,
  unknown: NONE,
});

const VIEW: AttributionView = {
  total: {
    accesses: 100,
    l1_misses: 10,
    walks: 4,
    faults: 1,
    exceptions: 0,
    l2_hit_cycles: 0,
    l2_miss_cycles: 40,
    walk_cycles: 160,
  },
  regions: table([
    row("0x10000000", "0x10002000", {
      name: "[heap]",
      walks: 3,
      l2_hit_cycles: 0,
      l2_miss_cycles: 30,
      walk_cycles: 120,
    }),
    row("0x400000", "0x401000", {
      name: "text",
      inferred: true,
      walks: 1,
      l2_hit_cycles: 0,
      l2_miss_cycles: 10,
      walk_cycles: 40,
      accesses: 90,
    }),
  ]),
  pages: table([row("0x400000", "0x401000", { region: "text" })]),
  instructions: {
    rows: [row("0x400010", "0x400011", { name: "main", region: "/bin/app" })],
    n_others: 2,
    others: { ...NONE, walks: 7 },
    unknown: { ...NONE, accesses: 5 },
  },
  objects: table([]),
  lines: table([]),
  symbols: table([]),
  calls: { nodes: [], n_others: 0, others: NONE, unknown: NONE },
};

test("rows_come_by_cost_and_in_any_other_order", () => {
  const names = (column: "name" | "accesses" | "walk_cycles", rising = false) =>
    attributionRows(VIEW, "regions", column, rising).map(({ name }) => name);
  expect(names("walk_cycles")).toEqual(["[heap]", "text"]);
  expect(names("accesses")).toEqual(["text", "[heap]"]);
  // The rows are sorted by address, not by the letters of the name.
  expect(names("name", true)).toEqual(["text", "[heap]"]);
});

test("a_row_says_its_share_and_whether_its_name_is_guessed", () => {
  const [heap, text] = attributionRows(VIEW, "regions", "walk_cycles", false);
  expect(heap?.cells.at(-1)).toBe("150 cy · 75.0 %");
  expect(heap?.more).toBe("0x10000000");
  expect(text?.more).toBe("0x400000, inferred");
});

test("a_row_of_a_place_shows_its_addresses_and_one_of_code_its_instructions", () => {
  const filter = (by: "regions" | "pages" | "instructions") =>
    attributionRows(VIEW, by, "walks", false)[0]?.filter;
  expect(filter("regions")).toEqual({
    by: "address",
    start: "0x10000000",
    end: "0x10002000",
    label: "[heap]",
  });
  expect(filter("pages")?.label).toBe("page 0x400000");
  expect(filter("instructions")).toMatchObject({
    by: "instruction",
    label: "instruction 0x400010",
  });
  expect(sameFilter(filter("pages"), filter("regions"))).toBe(false);
  expect(sameFilter(filter("pages"), filter("pages"))).toBe(true);
  expect(sameFilter(undefined, filter("pages"))).toBe(false);
});

test("what_is_not_listed_is_added_up_and_symbols_come_where_there_are_some", () => {
  expect(restRows(VIEW, "regions")).toEqual([]);
  expect(restRows(VIEW, "instructions")).toMatchObject([
    { name: "2 others" },
    { name: "unknown", cells: ["5", "0", "0", "0", "0 cy · 0 %"] },
  ]);
  expect(tablesOf(VIEW).map(({ value }) => value)).toEqual([
    "regions",
    "pages",
    "objects",
    "instructions",
  ]);
  const named = { ...VIEW, symbols: VIEW.instructions };
  expect(tablesOf(named)).toHaveLength(5);
});

test("a_line_shows_its_text_and_a_data_structure_its_blocks", () => {
  const lines = table([
    row("0x400020", "0x400030", {
      name: "join.c:12",
      region: "probe",
      file: "/src/join.c",
      line: 12,
      text: "at = at->next;",
    }),
  ]);
  const objects = table([
    row("0x10000000", "0x10002000", {
      name: "pool (malloc, join.c:8)",
      blocks: 2,
    }),
    row("0x10004000", "0x10005000", { name: "data", inferred: true }),
  ]);
  const view = { ...VIEW, lines, objects };
  expect(tablesOf(view).map(({ value }) => value)).toContain("lines");
  const [line] = attributionRows(view, "lines", "walk_cycles", false);
  expect(line).toMatchObject({
    name: "join.c:12",
    more: "at = at->next;",
    isAddress: false,
    filter: { by: "line", label: "/src/join.c:12" },
  });
  const shown = attributionRows(view, "objects", "name", true);
  expect(
    shown.map(({ name, more, filter }) => [name, more, filter.by]),
  ).toEqual([
    ["pool (malloc, join.c:8)", "2 blocks", "object"],
    ["data", "inferred", "object"],
  ]);
  expect(attributionCsv(view, "lines", "walk_cycles", false)).toContain(
    "at = at->next;",
  );
});

test("exceptions_have_a_column_where_one_ended_an_access", () => {
  const words = (view: AttributionView) =>
    columnsOf(view).map(({ word }) => word);
  expect(words(VIEW)).not.toContain("exceptions");
  const total = { ...VIEW.total, exceptions: 2 };
  const ended = { ...VIEW, total };
  expect(words(ended)).toContain("exceptions");
  const [row] = attributionRows(ended, "regions", "walk_cycles", false);
  expect(row?.cells).toHaveLength(columnsOf(ended).length - 1);
  const [head, first] = attributionCsv(ended, "regions", "name", true).split(
    "\n",
  );
  expect(head?.split(",")).toHaveLength(first?.split(",").length ?? 0);
});
