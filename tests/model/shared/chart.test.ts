import { expect, test } from "vitest";
import type { Chart } from "../../../src/engine/generated/Chart";
import type { Scale } from "../../../src/engine/generated/Scale";
import {
  chartLayout,
  nearestStop,
} from "../../../src/model/shared/chart/layout";
import { axisScale, axisValue } from "../../../src/model/shared/chart/scale";
import { lineStyles } from "../../../src/model/shared/chart/style";
import { chart } from "../../pictures/experiment";

const ticksOf = (label: string, scale: Scale, values: number[], zero = false) =>
  axisScale({ label, scale }, values, { from: 0, to: 600, gap: 60, zero })
    .ticks.map((tick) => `${tick.label}@${Math.round(tick.at)}`)
    .join(" ");

test.each([
  [
    "bytes",
    "log10",
    [1e3, 1e8],
    "10³@0 10⁴@120 10⁵@240 10⁶@360 10⁷@480 10⁸@600",
  ],
  ["walks", "log10", [0.1, 100], "0.1@0 1@200 10@400 100@600"],
  [
    "bytes of a TLAB",
    "log2",
    [1024, 65536],
    "1 KiB@0 2 KiB@100 4 KiB@200 8 KiB@300 16 KiB@400 32 KiB@500 64 KiB@600",
  ],
  ["stride", "log2", [64, 1024], "64@0 128@150 256@300 512@450 1,024@600"],
  [
    "huge pages",
    "linear",
    [0, 75],
    "0@0 10@80 20@160 30@240 40@320 50@400 60@480 70@560",
  ],
  [
    "misses",
    "linear",
    [0, 0.25],
    "0.00@0 0.05@120 0.10@240 0.15@360 0.20@480 0.25@600",
  ],
] as const)("%s_by_%s_has_ticks", (label, scale, values, expected) => {
  expect(ticksOf(label, scale, [...values])).toBe(expected);
});

test("many_powers_are_thinned_out_evenly", () => {
  expect(ticksOf("bytes", "log2", [2 ** 20, 2 ** 42])).toBe(
    "2 MiB@27 16 MiB@109 128 MiB@191 1 GiB@273 8 GiB@355 64 GiB@436 512 GiB@518 4 TiB@600",
  );
});

test("a_vertical_axis_begins_at_0_and_ends_at_a_round_number", () => {
  expect(ticksOf("misses", "linear", [0.2, 0.9583], true)).toMatch(
    /^0\.0@0 .*1\.0@600$/,
  );
});

test("one_value_is_an_axis_too", () => {
  for (const scale of ["linear", "log10", "log2"] as const) {
    const { place } = axisScale({ label: "x", scale }, [8], {
      from: 0,
      to: 100,
      gap: 10,
      zero: false,
    });
    expect(place(8), scale).toBe(0);
  }
});

test("sizes_in_memory_are_told_in_both_ways", () => {
  expect(axisValue({ label: "bytes of a TLAB", scale: "log2" }, 262144)).toBe(
    "256 KiB (262,144)",
  );
  expect(axisValue({ label: "bytes of an array", scale: "log10" }, 1e8)).toBe(
    "100,000,000",
  );
});

test("page_sizes_have_their_colours_and_published_points_are_rings", () => {
  const looks = lineStyles(chart.series).map(
    ({ colour, dash, shape, size }) => [colour, dash, shape, size],
  );
  expect(looks).toEqual([
    ["var(--chart-4k)", undefined, "square", 6],
    ["var(--chart-2m)", "7 4", "square", 7.5],
    ["var(--text)", undefined, "ring", 11],
  ]);
});

test("other_page_sizes_take_the_step_of_their_rank", () => {
  const series = ["64K", "16K", "2M"].map((pages) => ({
    name: pages,
    kind: "simulated" as const,
    pages,
    points: [],
  }));
  expect(lineStyles(series).map(({ colour }) => colour)).toEqual([
    "var(--chart-2m)",
    "var(--chart-4k)",
    "var(--chart-1g)",
  ]);
});

test("lines_of_page_sizes_that_share_a_step_have_dashes_of_their_own", () => {
  const sizes = [
    "4K",
    "64K",
    "2M",
    "32M",
    "16K",
    "2M",
    "32M",
    "64K",
    "2M",
    "512M",
  ];
  const series = sizes.map((pages, n) => ({
    name: `${n}`,
    kind: "simulated" as const,
    pages,
    points: [],
  }));
  const looks = lineStyles(series).map(
    ({ colour, dash, shape }) => `${colour} ${dash} ${shape}`,
  );
  expect(new Set(looks).size).toBe(sizes.length);
});

test("no_two_of_eight_lines_without_page_sizes_look_alike", () => {
  const series = Array.from({ length: 8 }, (_, n) => ({
    name: `${n}`,
    kind: "simulated" as const,
    points: [],
  }));
  const looks = lineStyles(series).map(
    ({ colour, dash }) => `${colour} ${dash}`,
  );
  expect(new Set(looks).size).toBe(8);
});

test("labels_beside_the_ends_of_lines_do_not_touch", () => {
  const layout = chartLayout(chart, { width: 700, height: 300 });
  expect(layout.hasLegend).toBe(false);
  const ys = layout.lines.map(({ label }) => label?.y ?? NaN);
  const sorted = [...ys].sort((a, b) => a - b);
  for (let n = 1; n < sorted.length; n++)
    expect((sorted[n] ?? 0) - (sorted[n - 1] ?? 0)).toBeGreaterThanOrEqual(15);
  for (const y of ys) {
    expect(y).toBeGreaterThanOrEqual(layout.top);
    expect(y).toBeLessThanOrEqual(layout.bottom);
  }
});

test("a_narrow_chart_has_a_legend_instead", () => {
  const layout = chartLayout(chart, { width: 360, height: 300 });
  expect(layout.hasLegend).toBe(true);
  expect(layout.lines.every(({ label }) => label === undefined)).toBe(true);
});

test("marks_that_would_touch_stand_in_rows", () => {
  const marks = [8, 9, 64].map((x) => ({ x, label: `${x} entries` }));
  const crowded: Chart = {
    ...chart,
    x: { label: "pages", scale: "linear" },
    series: [
      {
        name: "a",
        kind: "simulated",
        points: [
          [0, 0],
          [75, 1],
        ],
      },
    ],
    marks,
  };
  const layout = chartLayout(crowded, { width: 600, height: 300 });
  const [first, second, third] = layout.marks.map(({ y }) => y);
  expect(second).toBe((first ?? 0) + 15);
  expect(third).toBe(first);
  expect(Math.max(...layout.marks.map(({ y }) => y))).toBeLessThan(layout.top);
});

test("a_logarithmic_axis_leaves_out_what_it_cannot_show", () => {
  const layout = chartLayout(
    { ...chart, y: { label: "walks", scale: "log10" } },
    { width: 700, height: 300 },
  );
  expect(layout.lines.map(({ points }) => points.length)).toEqual([2, 0, 1]);
  expect(layout.lines[1]?.path).toBe("");
});

test("stops_join_what_stands_over_the_same_x", () => {
  const { stops } = chartLayout(chart, { width: 700, height: 300 });
  expect(
    stops.map(({ value, values }) => [value, values.map((each) => each.value)]),
  ).toEqual([
    [1e3, [0, 0]],
    [1e6, [0]],
    [1e7, [0.5801]],
    [1e8, [0.9583, 0, 1.017]],
  ]);
  const at = stops.map(({ x }) => x);
  expect(nearestStop(stops, (at[2] ?? 0) + 3)).toBe(2);
  expect(nearestStop(stops, 1e9)).toBe(3);
  expect(nearestStop([], 0)).toBe(-1);
});
