import { expect, test } from "vitest";
import { totalCounts } from "../../../src/model/timeline/counts";
import { binsCsv, cellsCsv } from "../../../src/model/timeline/csv";
import {
  endedTimeline,
  smallTimeline,
  timelineData,
} from "../../pictures/timelineData";

test("a_line_for_each_bar_has_all_its_outcomes", () => {
  expect(binsCsv(smallTimeline())).toMatchInlineSnapshot(`
    "first access,last access,translations,L1 hits,L2 hits,walks,page faults,operations
    0,99,104,90,8,4,2,0
    100,199,103,101,1,1,0,3
    200,299,103,103,0,0,0,0
    300,399,0,0,0,0,0,0
    "
  `);
});

test("a_line_for_each_cell_with_accesses_names_its_place", () => {
  expect(cellsCsv(smallTimeline())).toMatchInlineSnapshot(`
    "first access,last access,region,region start,first page,last page,accesses,walks,page faults
    0,99,stack,0x7ffc4a1e0000,1,1,20,0,0
    100,199,heap,0x55d0c8a00000,1,2,50,0,0
    200,299,heap,0x55d0c8a00000,1,2,1,0,0
    0,99,heap,0x55d0c8a00000,3,5,60,3,2
    200,299,heap,0x55d0c8a00000,3,5,4,0,0
    100,199,heap,0x55d0c8a00000,6,7,50,0,0
    0,99,heap,0x55d0c8a00000,8,10,20,0,0
    200,299,heap,0x55d0c8a00000,8,10,16,0,0
    "
  `);
});

test("exceptions_have_a_column_where_there_are_some", () => {
  const line = (csv: string, at: number) => csv.split("\n")[at];
  expect(line(binsCsv(endedTimeline()), 3)).toBe("200,299,103,101,0,0,0,2,0");
  expect(line(cellsCsv(endedTimeline()), 0)).toMatch(/faults,exceptions$/);
  expect(cellsCsv(endedTimeline())).toContain(",8,10,16,0,0,2\n");
});

test("the_lines_add_up_to_the_whole_picture", () => {
  const timeline = timelineData({ bins: 40, rows: 12 });
  const rows = binsCsv(timeline).trim().split("\n").slice(1);
  const sum = (column: number) =>
    rows.reduce((total, row) => total + Number(row.split(",")[column]), 0);
  const { translations, outcomes } = totalCounts(timeline);
  expect([sum(2), sum(4), sum(5), sum(6)]).toEqual([
    translations,
    outcomes["l2-hit"],
    outcomes.walk,
    outcomes.fault,
  ]);
});
