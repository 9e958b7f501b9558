import { expect, expectTypeOf, test } from "vitest";
import type { Timeline } from "../../../src/engine/engine";
import {
  binCounts,
  binOf,
  binSpan,
  cellAt,
  densityMax,
  missShare,
  panSpan,
  regionOfRow,
  spanBetween,
  totalCounts,
  worstOutcome,
  zoomSpan,
} from "../../../src/model/timeline/counts";
import type { TimelineColumns } from "../../../src/model/timeline/counts";
import {
  binSentence,
  binText,
  cellSentence,
  cellText,
} from "../../../src/model/timeline/text";
import { endedTimeline, smallTimeline } from "../../pictures/timelineData";

test("the_columns_are_those_of_the_engine", () => {
  expectTypeOf<Timeline>().toExtend<TimelineColumns>();
});

test("bins_are_equal_but_for_the_last", () => {
  const view = { from: 100, to: 110, bins: 4 };
  const spans = [0, 1, 2, 3].map((bin) => binSpan(view, bin));
  expect(spans.map(({ from, to }) => [from, to])).toEqual([
    [100, 103],
    [103, 106],
    [106, 109],
    [109, 110],
  ]);
});

test("every_access_is_in_the_bin_that_spans_it", () => {
  for (const bins of [1, 3, 7, 10, 11, 64]) {
    const view = {
      from: 5,
      to: 69,
      bins: Math.ceil(64 / Math.ceil(64 / bins)),
    };
    for (let access = view.from; access < view.to; access += 1) {
      const { from, to } = binSpan(view, binOf(view, access));
      expect(access >= from && access < to).toBe(true);
    }
  }
});

test("an_access_outside_the_view_is_nearest_to_an_end", () => {
  const view = { from: 100, to: 200, bins: 10 };
  expect([binOf(view, 0), binOf(view, 5000)]).toEqual([0, 9]);
});

test("what_did_not_miss_hit_in_level_one", () => {
  const timeline = smallTimeline();
  expect(binCounts(timeline, 0)).toEqual({
    translations: 104,
    outcomes: { "l1-hit": 90, "l2-hit": 8, walk: 4, fault: 2, exception: 0 },
  });
  expect(missShare(timeline, 0)).toBeCloseTo(14 / 104);
  expect(totalCounts(timeline).outcomes).toEqual({
    "l1-hit": 294,
    "l2-hit": 9,
    walk: 5,
    fault: 2,
    exception: 0,
  });
});

test("an_access_that_an_exception_ended_is_no_hit", () => {
  const timeline = endedTimeline();
  expect(binCounts(timeline, 2)).toEqual({
    translations: 103,
    outcomes: { "l1-hit": 101, "l2-hit": 0, walk: 0, fault: 0, exception: 2 },
  });
  expect(worstOutcome(binCounts(timeline, 2))).toBe("exception");
  const { total, lines } = binText(timeline, 2);
  expect([
    total,
    ...lines.map(({ word, share }) => `${word} ${share}`),
  ]).toEqual([
    "101 translations + 2 accesses without one",
    "exception 1.9 %",
    "page fault 0 %",
    "walk 0 %",
    "L2 TLB hit 0 %",
    "L1 hit 98.1 %",
  ]);
  expect(binSentence(timeline, 2)).toContain("2 exceptions, 0 page faults");
  expect(cellText(timeline, 2, 4)?.exceptions).toBe("2");
  expect(cellSentence(timeline, 2, 4)).toContain("0 page faults, 2 exceptions");
  expect(cellText(smallTimeline(), 2, 4)).not.toHaveProperty("exceptions");
});

test("an_empty_bin_misses_nothing", () => {
  const timeline = smallTimeline();
  expect(missShare(timeline, 3)).toBe(0);
  expect(worstOutcome(binCounts(timeline, 3))).toBe("l1-hit");
});

test("the_worst_outcome_is_the_dearest_that_happened", () => {
  const timeline = smallTimeline();
  expect(
    [0, 1, 2].map((bin) => worstOutcome(binCounts(timeline, bin))),
  ).toEqual(["fault", "walk", "l1-hit"]);
});

test("rows_belong_to_regions_from_the_top", () => {
  const { view } = smallTimeline();
  expect([0, 1, 2, 4, 5].map((row) => regionOfRow(view, row)?.name)).toEqual([
    "stack",
    "heap",
    "heap",
    "heap",
    undefined,
  ]);
});

test("the_rows_of_a_region_share_its_pages_without_gap_or_overlap", () => {
  const timeline = smallTimeline();
  const pages = [1, 2, 3, 4].map((row) => {
    const cell = cellAt(timeline, 0, row);
    return [cell?.firstPage, cell?.lastPage];
  });
  expect(pages).toEqual([
    [1, 2],
    [3, 5],
    [6, 7],
    [8, 10],
  ]);
});

test("a_cell_outside_the_picture_is_no_cell", () => {
  const timeline = smallTimeline();
  expect([
    cellAt(timeline, 4, 0),
    cellAt(timeline, 0, 5),
    cellAt(timeline, -1, 0),
  ]).toEqual([null, null, null]);
});

test("the_densest_cell_sets_the_scale", () => {
  expect(densityMax(smallTimeline())).toBe(60);
});

test.each([
  ["about_the_middle", { from: 0, to: 1000 }, 500, 0.5, { from: 250, to: 750 }],
  [
    "the_access_keeps_its_place",
    { from: 0, to: 1000 },
    100,
    0.5,
    { from: 50, to: 550 },
  ],
  [
    "not_below_the_least",
    { from: 0, to: 1000 },
    500,
    0.001,
    { from: 484, to: 516 },
  ],
  [
    "not_beyond_the_trace",
    { from: 800, to: 1000 },
    990,
    100,
    { from: 0, to: 1000 },
  ],
  [
    "back_inside_at_the_end",
    { from: 700, to: 900 },
    710,
    2,
    { from: 600, to: 1000 },
  ],
])("zoom_%s", (_, span, about, factor, wanted) => {
  expect(zoomSpan(span, about, factor, 1000)).toEqual(wanted);
});

test("a_trace_shorter_than_the_least_window_is_shown_whole", () => {
  expect(zoomSpan({ from: 0, to: 10 }, 5, 0.5, 10)).toEqual({
    from: 0,
    to: 10,
  });
  expect(spanBetween(3, 4, 10)).toEqual({ from: 0, to: 10 });
});

test("panning_stops_at_the_ends", () => {
  expect(panSpan({ from: 100, to: 200 }, -500, 1000)).toEqual({
    from: 0,
    to: 100,
  });
  expect(panSpan({ from: 100, to: 200 }, 5000, 1000)).toEqual({
    from: 900,
    to: 1000,
  });
});

test("a_window_holds_both_accesses_in_either_order", () => {
  expect(spanBetween(200, 100, 1000)).toEqual({ from: 100, to: 201 });
  expect(spanBetween(100, 200, 1000)).toEqual({ from: 100, to: 201 });
  expect(spanBetween(999, 999, 1000)).toEqual({ from: 968, to: 1000 });
});

test("a_bar_is_read_out_from_the_dearest_outcome", () => {
  expect(binSentence(smallTimeline(), 0)).toBe(
    "accesses 0 – 99: 104 translations, 2 page faults, 4 walks, 8 L2 TLB hits, 90 L1 hits",
  );
  expect(
    binText(smallTimeline(), 0).lines.map(
      (line) => `${line.word} ${line.count} ${line.share}`,
    ),
  ).toEqual([
    "page fault 2 1.9 %",
    "walk 4 3.8 %",
    "L2 TLB hit 8 7.7 %",
    "L1 hit 90 86.5 %",
  ]);
});

test("a_cell_is_read_out_with_its_pages", () => {
  expect(cellSentence(smallTimeline(), 0, 2)).toBe(
    "accesses 0 – 99, heap (partly recorded), pages 3 – 5 of 10 from the top: 60 accesses, 3 walks, 2 page faults",
  );
  expect(cellText(smallTimeline(), 0, 0)?.place).toBe(
    "stack (recorded), its only page",
  );
});
