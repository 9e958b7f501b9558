import { expect, test } from "vitest";
import {
  cellOf,
  readEntries,
  readPages,
  withCell,
  withGiven,
  withValid,
} from "../../../src/model/config/given";
import type { ReadRows } from "../../../src/model/config/given";

/** Rows as text: their fields in order, or the message. */
function written(found: ReadRows<object>): string {
  if (!("rows" in found)) return found.message;
  return found.rows.map((row) => Object.values(row).join(" ")).join("\n");
}

test.each([
  ["00 28 1\n01 – 0", "0x0 0x28\n0x1 false"],
  ["VPN\tPPN\tValid\n0F\t0D\t1\n\n", "0xf 0xd"],
  [
    "00 28 1 08 13 1\n01 – 0 09 17 1",
    "0x0 0x28\n0x8 0x13\n0x1 false\n0x9 0x17",
  ],
  ["0x2b 34", "0x2b 0x34"],
  ["01 –", "0x1 false"],
  ["| 0A | 09 | yes |", "0xa 0x9"],
  [
    "00 28 1\n01 – 0 7",
    "Line 2: has 4 columns: write VPN PPN valid, or VPN PPN.",
  ],
  ["00 28 1\n0G 28 1", "Line 2: “0G” is no hexadecimal number."],
  ["VPN PPN valid", "There are no rows: write hexadecimal numbers."],
  ["00 11112222333344445 1", "There are no rows: write hexadecimal numbers."],
])("a_page_table_%j_is_%j", (text, expected) => {
  expect(written(readPages(text))).toBe(expected);
});

test.each([
  [
    "0 03 – 0 09 0D 1 00 – 0 07 02 1",
    "0x0 0x3 false\n0x0 0x9 0xd\n0x0 0x0 false\n0x0 0x7 0x2",
  ],
  ["set tag PPN valid\n3 0A 34 1", "0x3 0xa 0x34"],
  ["2B 34", "0x2b 0x34"],
  [
    "0 03 34",
    "Line 1: has 3 columns: write the set, then tag, PPN and valid of each way.",
  ],
])("tlb_contents_%j_are_%j", (text, expected) => {
  expect(written(readEntries(text))).toBe(expected);
});

test("cells_are_shown_as_books_print_them_and_kept_as_the_core_reads_them", () => {
  const row = withCell({ page: "0x0" }, "frame", "0D");
  expect(row).toEqual({ page: "0x0", frame: "0xd" });
  expect(cellOf(row, "frame")).toBe("D");
  expect(cellOf(row, "rights")).toBe("");
  expect(withCell(row, "frame", "")).toEqual({ page: "0x0" });
  // The core names the row of a text that is no number.
  expect(withCell(row, "page", "zz")).toEqual({ page: "zz", frame: "0xd" });
  expect(withValid(withValid(row, false), true)).toEqual(row);
});

test("removing_all_leaves_no_field", () => {
  const os = { default: "4K", regions: [], frames: "sequential" } as const;
  const given = withGiven({ ...os, regions: [] }, { pages: [] });
  expect(given.given).toEqual({ pages: [] });
  expect(withGiven(given, undefined)).toEqual(os);
});
