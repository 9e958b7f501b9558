import { expect, test } from "vitest";
import type { RegionView } from "../../../src/engine/generated/RegionView";
import { bands, rowAt, rowBox } from "../../../src/model/timeline/bands";
import { barPaths, cutBars } from "../../../src/model/timeline/bars";
import {
  accessAt,
  accessX,
  gridFor,
  timelineLayout,
} from "../../../src/model/timeline/layout";
import {
  accessTicks,
  axisEnd,
  axisEnds,
  barsAbove,
  cropFor,
  densityLimits,
  densityStep,
  extentLabel,
  shareTicks,
} from "../../../src/model/timeline/scale";
import {
  barsOf,
  smallTimeline,
  timelineData,
} from "../../pictures/timelineData";

test("the_parts_fill_the_height", () => {
  expect(timelineLayout(1408, 226)).toEqual({
    width: 1408,
    height: 226,
    text: 1,
    left: 116,
    right: 1400,
    barsTop: 4,
    barsBottom: 78,
    heatTop: 88,
    heatBottom: 206,
  });
});

test.each([
  [1408, 226, false, { bins: 256, rows: 53 }],
  [992, 226, false, { bins: 173, rows: 53 }],
  [358, 156, true, { bins: 78, rows: 31 }],
  [10, 10, false, { bins: 16, rows: 12 }],
])(
  "a picture of %s × %s (compact %s) has room for a grid",
  (width, height, compact, grid) => {
    expect(gridFor(width, height, compact)).toEqual(grid);
  },
);

test("a_low_timeline_has_bars_and_no_map", () => {
  const heights = [140, 93, 81, 40].map((height) => {
    const at = timelineLayout(1408, height);
    return [at.barsBottom - at.barsTop, at.heatBottom - at.heatTop];
  });
  expect(heights).toEqual([
    [41, 65],
    [23, 36],
    [47, 0],
    [30, 0],
  ]);
});

test("larger_text_takes_more_room", () => {
  const layout = timelineLayout(1408, 226, false, 1.25);
  expect([layout.left, layout.heatBottom]).toEqual([145, 201]);
  expect(shareTicks(0.045, 74, 1.25).map(({ label }) => label)).toEqual([
    "0 %",
    "2 %",
    "4 %",
  ]);
});

test("places_and_accesses_are_inverse", () => {
  const layout = timelineLayout(1408, 226);
  const span = { from: 1000, to: 399_306 };
  for (const access of [1000, 1001, 20_000, 399_305]) {
    // The position is slightly to the right of the left edge, because of rounding.
    expect(accessAt(layout, span, accessX(layout, span, access) + 1e-6)).toBe(
      access,
    );
  }
  expect([accessAt(layout, span, 0), accessAt(layout, span, 5000)]).toEqual([
    1000, 399_305,
  ]);
});

function region(
  name: string,
  rows: number,
  firstRow: number,
  pages = rows * 10,
): RegionView {
  return {
    name,
    kind: "anonymous",
    start: "0x0",
    end: "0x1000",
    pages,
    recorded: 0,
    accesses: 1,
    first_row: firstRow,
    rows,
  };
}

test("bands_are_in_proportion_but_never_lower_than_their_label", () => {
  const all = bands(
    [region("stack", 1, 0), region("heap", 40, 1), region("text", 9, 41)],
    118,
  );
  expect(
    all.map(({ top, height }) => [Math.round(top), Math.round(height)]),
  ).toEqual([
    [0, 10],
    [13, 83],
    [99, 19],
  ]);
  expect(all.every((band) => band.labelled)).toBe(true);
});

test("many_regions_share_the_height_and_the_largest_keep_their_names", () => {
  const many = Array.from({ length: 30 }, (_, i) =>
    region(`r${i}`, 1, i, i === 7 ? 1000 : 10),
  );
  const all = bands(many, 118);
  const last = all.at(-1);
  expect((last?.top ?? 0) + (last?.height ?? 0)).toBeCloseTo(118);
  expect(all[7]?.labelled).toBe(true);
  const middles = all
    .filter((band) => band.labelled)
    .map((band) => band.top + band.height / 2);
  for (const [i, middle] of middles.entries())
    expect(middle - (middles[i - 1] ?? -12)).toBeGreaterThanOrEqual(12);
});

test("no_region_is_no_band", () => {
  expect(bands([], 118)).toEqual([]);
});

test("rows_and_heights_are_inverse", () => {
  const all = bands(
    [region("stack", 2, 0), region("heap", 40, 2), region("text", 9, 42)],
    118,
  );
  for (let row = 0; row < 51; row += 1) {
    const box = rowBox(all, row);
    expect(rowAt(all, (box?.top ?? 0) + (box?.height ?? 0) / 2)).toBe(row);
  }
  expect(rowAt(all, 11)).toBeNull();
  expect(rowBox(all, 51)).toBeNull();
});

test("bars_stand_on_the_baseline_and_stack_up_to_the_misses", () => {
  const layout = timelineLayout(140 + 8, 94 + 40, true);
  expect(barPaths(smallTimeline(), layout, 0.2)).toMatchInlineSnapshot(`
    {
      "exception": "",
      "fault": "M38.35 39.25h24.8v3.75h-24.8z",
      "l2-hit": "M38.35 16.75h24.8v15h-24.8zM63.85 39.21h24.8v1.89h-24.8z",
      "walk": "M38.35 31.75h24.8v7.5h-24.8zM63.85 41.11h24.8v1.89h-24.8z",
    }
  `);
});

test("a_bar_taller_than_the_axis_ends_at_its_top_and_is_marked", () => {
  const layout = timelineLayout(148, 134, true);
  const timeline = barsOf([0.5, 0.01, 0.02, 0.01]);
  expect(barPaths(timeline, layout, 0.02).walk).toMatch(
    new RegExp(`^M\\S+ ${layout.barsTop}h`),
  );
  expect(cutBars(timeline, layout, 0.02)).toHaveLength(1);
  expect(barsAbove(timeline, 0.02)).toBe(1);
});

test.each([
  ["round above the highest", [0.041, 0.02], "0 to 4.5 %"],
  ["small shares", [0.000_31], "0 to 0.035 %"],
  ["a trace of misses", [0.000_000_1, 0.000_02], "0 to 0.01 %"],
  ["no bar at all: no crop", [0, 0], "0 to 100 %"],
  ["a quarter", [0.25], "0 to 30 %"],
  ["most of it: no crop", [0.62], "0 to 100 %"],
])("the crop is %s", (_, shares, label) => {
  expect(extentLabel(cropFor(barsOf(shares)))).toBe(label);
});

test.each([
  [0.002, "fine 0 to 0.25 %, crop 0 to 1 %, full 0 to 100 %", "crop full fine"],
  [0.009, "crop 0 to 1 %, full 0 to 100 %", "crop full crop"],
  [0.2, "crop 0 to 25 %, full 0 to 100 %", "crop full crop"],
  [0.9, "full 0 to 100 %", "full full full"],
])("the_ends_of_the_axis_of_%f", (share, all, chosen) => {
  const cropped = cropFor(barsOf([share]));
  const ends = axisEnds(cropped).map(
    ({ value, top }) => `${value} ${extentLabel(top)}`,
  );
  expect(ends.join(", ")).toBe(all);
  const values = (["crop", "full", "fine"] as const).map(
    (choice) => axisEnd(cropped, choice).value,
  );
  expect(values.join(" ")).toBe(chosen);
});

test("one_spike_does_not_flatten_the_rest", () => {
  const usual = Array.from({ length: 99 }, (_, i) => 0.02 + (i % 10) / 1000);
  expect(cropFor(barsOf([0.5, ...usual]))).toBe(0.035);
});

test("the_end_of_the_crop_is_never_below_a_usual_bar", () => {
  const timeline = timelineData({ bins: 400, rows: 120 });
  const top = cropFor(timeline);
  expect(barsAbove(timeline, top)).toBeLessThan(400 * 0.05);
});

test("ticks_have_as_many_decimals_as_they_need", () => {
  const labels = (top: number, height: number) =>
    shareTicks(top, height).map(({ label }) => label);
  expect(labels(0.045, 74)).toEqual(["0 %", "1 %", "2 %", "3 %", "4 %"]);
  expect(labels(0.012, 74)).toEqual(["0 %", "0.5 %", "1.0 %"]);
  expect(labels(1, 74)).toEqual([
    "0 %",
    "20 %",
    "40 %",
    "60 %",
    "80 %",
    "100 %",
  ]);
  expect(labels(0.07, 48)).toEqual(["0 %", "5 %"]);
});

test("access_ticks_are_whole_numbers", () => {
  const labels = (from: number, to: number, width: number) =>
    accessTicks({ from, to }, width).map(({ label }) => label);
  expect(labels(0, 398_306, 1284)).toEqual([
    "0",
    "50,000",
    "100,000",
    "150,000",
    "200,000",
    "250,000",
    "300,000",
    "350,000",
  ]);
  expect(labels(0, 3, 1284)).toEqual(["0", "1", "2", "3"]);
});

test("steps_of_density_are_equal_ratios", () => {
  const limits = densityLimits(1660);
  expect(limits).toEqual([6, 40, 260, 1660]);
  expect([0, 1, 6, 7, 40, 41, 1660].map((n) => densityStep(n, limits))).toEqual(
    [0, 1, 1, 2, 2, 3, 4],
  );
});

test("a_picture_with_one_access_per_cell_has_one_step", () => {
  expect(densityStep(1, densityLimits(1))).toBe(1);
});
