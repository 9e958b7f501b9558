import { expect, test } from "vitest";
import type { TableFormat } from "../../../src/engine/generated/TableFormat";
import { tableName } from "../../../src/model/walk/tableName";

test.each<[TableFormat, readonly (readonly [number, string])[], string]>([
  [
    "x86",
    [
      [4, "PML4"],
      [3, "PDPT"],
      [2, "PD"],
    ],
    "PT",
  ],
  ["amd", [], "PT"],
  ["arm", [[4, "L0"]], "L3"],
  ["plain", [[3, "level 2"]], "level 0"],
  ["plain", [[2, "page directory"]], "level 1"],
  ["plain", [], "level 1"],
  ["plain", [[1, "page table"]], "page table"],
])("the_lowest_table_of_%s_after_%j_is_%s", (tables, known, name) => {
  const levels = known.map(([level, table_name]) => ({ level, table_name }));
  expect(tableName({ tables }, levels, 1)).toBe(name);
});
