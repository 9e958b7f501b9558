import { expect, test } from "vitest";
import type { ChangeView } from "../../../src/engine/generated/ChangeView";
import {
  cellChanges,
  cellChangeText,
} from "../../../src/model/walk/nested/changes";
import { nestedGrid } from "../../../src/model/walk/nested/grid";
import { rowAddress } from "../../../src/model/walk/nested/text";
import { nestedWalk } from "../../pictures/nestedFixtures";

const { step, machine } = nestedWalk;
const translation = step.translations[0];
if (!translation?.nested) throw new Error("no two-dimensional walk");
const grid = nestedGrid(translation.nested, translation, machine);

function change(entry_address: string, host: boolean, was = "0x7"): ChangeView {
  const bit = (name: string, at: number, value: string) => ({
    name,
    high: at,
    low: at,
    value,
    meaning: "",
    address: false,
    violated: false,
  });
  return {
    host,
    level: 1,
    table_name: host ? "nL1" : "PT",
    index: 0,
    entry_address,
    address: "0x0",
    was,
    now: "0x5",
    was_fields: [bit("W", 1, "0x1")],
    now_fields: [bit("W", 1, "0x0")],
  };
}

function marked(...changes: ChangeView[]): string[] {
  const acts = [
    {
      act: "promote" as const,
      address: "0x0",
      dropped: [],
      entries: [],
      stayed: [],
      cores: [],
      changes,
      n_changes: changes.length,
      n_of_others: 0,
    },
  ];
  const found = cellChanges({ before: [], acts, after: [] }, grid);
  return grid.cells
    .filter(({ view }) => found.has(view.n))
    .map((cell) => `${cell.view.n} ${cellChangeText(found, cell)}`);
}

const cell = (n: number) => {
  const found = grid.cells.find(({ view }) => view.n === n);
  if (!found) throw new Error(`no reference ${n}`);
  return found;
};

test("a_change_of_the_hosts_tables_marks_the_cells_of_its_entry", () => {
  expect(marked(change(cell(24).view.address, true))).toContain(
    "24 W 1→0, by the host",
  );
});

test("entries_of_the_guest_are_told_by_guest_physical_addresses", () => {
  const { dimension } = cell(20).view;
  expect(dimension).toBe("guest");
  expect(marked(change(rowAddress(cell(20), grid), false))).toEqual([
    "20 W 1→0, by the guest",
  ]);
  expect(marked(change(cell(20).view.address, false))).toEqual([]);
});

test("a_first_mapping_is_no_change", () => {
  expect(marked(change(cell(24).view.address, true, "0x0"))).toEqual([]);
});
