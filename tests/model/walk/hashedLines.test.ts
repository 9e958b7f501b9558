import { expect, test } from "vitest";
import { linesPicture } from "../../../src/model/walk/hashedLines";
import { walkLayout } from "../../../src/model/walk/layout";
import { line } from "../../pictures/hashedWalk";

const captionOf = (
  lines: ReturnType<typeof line>[],
  cycles: number | null = 200,
) => linesPicture({ lines }, { cycles, table: "0x0" }).caption;

test("lines_read_at_the_same_time_are_a_row_per_table_and_a_column_per_way", () => {
  const lines = [
    line(2, false),
    line(0, true),
    line(1, false, "PMD-ECPT"),
    line(0, false, "PMD-ECPT"),
  ];
  const { ways, tables } = linesPicture({ lines }, undefined);
  expect(ways).toEqual([0, 1, 2]);
  expect(tables).toEqual([
    { name: "PTE-ECPT", lines: [lines[1], undefined, lines[0]] },
    { name: "PMD-ECPT", lines: [lines[3], lines[2], undefined] },
  ]);
});

test("the_caption_says_how_many_lines_there_are_and_which_read_ends_the_walk", () => {
  const near = { ...line(1, true), read: { served_by: "L2", cycles: 14 } };
  expect(captionOf([line(0, false), near, line(2, false)])).toEqual([
    "3 lines are read at the same time.",
    "Way 1 of PTE-ECPT holds the page.",
    "The walk waits for the slowest read: 200 cycles.",
  ]);
  expect(captionOf([line(0, false), near], 14).at(-1)).toBe(
    "The walk ends with that read, after 14 cycles.",
  );
  expect(captionOf([line(1, true)])).toEqual([
    "One line is read: walk caches rule out the others.",
    "Way 1 of PTE-ECPT holds the page.",
  ]);
  expect(captionOf([line(0, false), line(1, false)], null)).toEqual([
    "2 lines are read at the same time.",
    "No line holds the page.",
  ]);
  expect(captionOf([])).toEqual(["No line is read: walk caches rule out all."]);
});

test("a_line_without_the_page_may_have_the_entry_that_refused_the_access", () => {
  const lines = [line(0, false), { ...line(1, false), address: "0x40" }];
  const { caption } = linesPicture({ lines }, { cycles: null, table: "0x40" });
  expect(caption).toEqual([
    "2 lines are read at the same time.",
    "Way 1 of PTE-ECPT has the entry, but no page there.",
  ]);
});

test.each([712, 480])("the_lines_are_left_of_the_table, %i wide", (room) => {
  for (const ways of [1, 2, 3, 4]) {
    const { lines, columns, pageX, pageWidth, width } = walkLayout(
      1,
      4,
      0,
      room,
      ways,
    );
    if (!lines) throw new Error("The layout has no lines.");
    expect(lines.x + lines.width).toBeLessThan(columns[0] ?? 0);
    expect(pageX + pageWidth).toBeLessThanOrEqual(width);
  }
  expect(walkLayout(1, 4, 0, room).lines).toBeNull();
});
