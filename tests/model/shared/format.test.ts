import { describe, expect, test } from "vitest";
import {
  accessRate,
  byteRate,
  count,
  counted,
  cycles,
  cyclesShort,
  delta,
  duration,
  fileSize,
  fixed,
  mean,
  memorySize,
  pageSize,
  percent,
  percentOf,
  range,
  tickCount,
} from "../../../src/model/shared/format";

/** Compares a function with a table of inputs and outputs. */
function table<T>(
  write: (value: T) => string,
  rows: readonly (readonly [T, string])[],
) {
  test.each(rows)("%s is written %s", (value, text) => {
    expect(write(value)).toBe(text);
  });
}

describe("counts", () => {
  table(tickCount, [
    [1, "1"],
    [100_000, "100,000"],
    [1_000_000, "1 M"],
    [1_000_000_000, "1,000 M"],
  ]);
  table(count, [
    [0, "0"],
    [-0, "0"],
    [-0.4, "0"],
    [7, "7"],
    [999, "999"],
    [1000, "1,000"],
    [398_306, "398,306"],
    [12_345_678.4, "12,345,678"],
    [-1204, "−1,204"],
    [NaN, "–"],
    [Infinity, "–"],
  ]);
  test("the_word_follows_its_number", () => {
    expect([
      counted(1, "walk"),
      counted(0, "walk"),
      counted(2, "access", "accesses"),
    ]).toEqual(["1 walk", "0 walks", "2 accesses"]);
  });
});

describe("differences_carry_their_sign", () => {
  table(delta, [
    [1204, "+1,204"],
    [-12, "−12"],
    [0, "0"],
  ]);
});

describe("fixed_decimals", () => {
  test.each([
    [1204.5, 2, "1,204.50"],
    [-0.004, 2, "0.00"],
    [-0.5, 1, "−0.5"],
    [3, 0, "3"],
    [NaN, 2, "–"],
  ])("%s with %s decimals is %s", (n, decimals, text) => {
    expect(fixed(n, decimals)).toBe(text);
  });
});

describe("shares", () => {
  table(percent, [
    [0, "0 %"],
    [0.000_001, "< 0.01 %"],
    [0.000_1, "0.01 %"],
    [0.009, "0.90 %"],
    [0.009_96, "1.0 %"],
    [0.086, "8.6 %"],
    [0.4132, "41.3 %"],
    [0.9994, "99.9 %"],
    [0.999_999, "> 99.9 %"],
    [1, "100 %"],
    [12.5, "1,250 %"],
    [-0.086, "−8.6 %"],
    [NaN, "–"],
  ]);
  test("nothing_of_nothing_is_unknown_and_not_zero", () => {
    expect(percentOf(0, 0)).toBe("–");
    expect(percentOf(0, 5)).toBe("0 %");
    expect(percentOf(43, 500)).toBe("8.6 %");
  });
});

describe("means", () => {
  table(mean, [
    [0, "0.00"],
    [0.004, "< 0.01"],
    [0.46, "0.46"],
    [9.994, "9.99"],
    [9.996, "10.0"],
    [12.34, "12.3"],
    [1204.4, "1,204"],
  ]);
});

describe("sizes", () => {
  table(fileSize, [
    [0, "0 B"],
    [999, "999 B"],
    [999.6, "1.0 kB"],
    [48_200_000, "48.2 MB"],
    [999_960, "1.0 MB"],
    [123_456_789_000, "123 GB"],
    [NaN, "–"],
  ]);
  table(memorySize, [
    [64, "64 B"],
    [4096, "4.0 KiB"],
    [1_258_291, "1.2 MiB"],
    [4_284_481_536, "4.0 GiB"],
  ]);
  table(pageSize, [
    [6, "64"],
    [12, "4K"],
    [14, "16K"],
    [16, "64K"],
    [21, "2M"],
    [30, "1G"],
    [39, "512G"],
  ]);
});

describe("rates", () => {
  table(byteRate, [
    [86_000_000, "86.0 MB/s"],
    [412, "412 B/s"],
    [NaN, "–"],
  ]);
  table(accessRate, [
    [950, "950/s"],
    [1_240_000, "1.2 M/s"],
  ]);
});

describe("times", () => {
  table(duration, [
    [0, "0 ms"],
    [340, "340 ms"],
    [999.7, "1.0 s"],
    [2300, "2.3 s"],
    [59_400, "59 s"],
    [59_700, "1 min 00 s"],
    [65_000, "1 min 05 s"],
    [7_380_000, "2 h 03 min"],
  ]);
  table(cycles, [
    [1, "1 cycle"],
    [22, "22 cycles"],
  ]);
  table(cyclesShort, [[14, "14 cy"]]);
});

test("a_range_of_one_is_one_number", () => {
  expect(range(1660, 3319)).toBe("1,660 – 3,319");
  expect(range(7, 7)).toBe("7");
});
