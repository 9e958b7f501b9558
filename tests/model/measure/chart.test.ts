/** The chart of a measurement. */
import { expect, test } from "vitest";
import { fitId, measureChart } from "../../../src/model/measure/chart";
import { FITS, REPORT } from "./report";

test("the_chart_has_cycles_plus_1_and_the_curve_of_the_model", () => {
  const chart = measureChart(REPORT, FITS[0]);
  expect(chart.series.map(({ name, points }) => [name, points])).toEqual([
    [
      "measured, least",
      [
        [64, 1],
        [72, 1],
        [128, 8],
      ],
    ],
    [
      "three fourths of the rounds are below",
      [
        [64, 1.4],
        [72, 1.8],
        [128, 9],
      ],
    ],
    [
      "Zen 4 in a virtual machine",
      [
        [64, 1],
        [128, 8],
      ],
    ],
  ]);
  expect(chart.marks).toEqual([{ x: 72, label: "72" }]);
});

test("a_larger_stride_has_the_curve_of_every_page_too", () => {
  const report = { ...REPORT, stride: 8 };
  const { x, series } = measureChart(report, undefined, REPORT);
  expect(x.label).toBe("Pages of 4K, 1 of every 8, one load in each");
  expect(series.map(({ name }) => name)).toEqual([
    "measured, least",
    "three fourths of the rounds are below",
    "every page, measured, least",
  ]);
  expect(series[2]?.points[2]).toEqual([128, 8]);
  expect(measureChart(REPORT, undefined, REPORT).series).toHaveLength(2);
});

test("without_a_clock_the_chart_has_nanoseconds_and_no_model", () => {
  const report = { ...REPORT, fits: [] };
  Reflect.deleteProperty(report, "clock");
  const chart = measureChart(report, undefined);
  expect(chart.y.label).toBe("Nanoseconds + 1");
  expect(chart.series.map(({ points }) => points[2])).toEqual([
    [128, 2.75],
    [128, 3],
  ]);
});

test("a_model_and_the_same_model_in_a_virtual_machine_have_different_names", () => {
  expect(FITS.map(fitId)).toEqual(["amd-zen4+ept", "amd-zen4"]);
});
