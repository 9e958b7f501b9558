import { expect, test } from "vitest";
import {
  definesOf,
  lastStop,
  stopOf,
  valueAt,
  withSlider,
  withValue,
} from "../../../src/model/code/defines";

const about = (code: string) =>
  definesOf(code).map(
    ({ name, value, line, range }) =>
      `${line}: ${name} = ${value}` +
      (range
        ? `, ${range.stops?.join(" ") ?? `${range.low} to ${range.high}`}`
        : ""),
  );

test.each([
  ["#define N 512 // 64..4096", ["1: N = 512, 64 128 256 512 1024 2048 4096"]],
  // The scale is that of the range, and the value has a place on it.
  ["#define N 16 // 1..32", ["1: N = 16, 1 2 4 8 16 32"]],
  ["#define N 17 // 1..32", ["1: N = 17, 1 2 4 8 16 17 32"]],
  ["#define N 8 // 9, 8, 700", ["1: N = 8, 8 9 700"]],
  ["#define N 8 // 9, 8", ["1: N = 8"]],
  ["#define N 8 // 9, 9, 9", ["1: N = 8"]],
  ["\n  #  define N 3 /* 1..10 */", ["2: N = 3, 1 to 10"]],
  ["#define N 512", ["1: N = 512"]],
  ["#define N 512 // 10..2", ["1: N = 512"]],
  ["#define N 1.5\n#define M x\n#define K 1u", []],
  ["int n = 512; // 1..9", []],
])("%j_has_%j", (code, expected) => {
  expect(about(code)).toEqual(expected);
});

test("a_slider_changes_only_the_number", () => {
  const code = "#define N 512 // 64..4096\nint a[N];";
  const [define] = definesOf(code);
  if (!define?.range) throw new Error("There is no slider.");
  expect(lastStop(define.range)).toBe(6);
  expect(stopOf(define)).toBe(3);
  expect(withValue(code, define, valueAt(define.range, 6))).toBe(
    "#define N 4096 // 64..4096\nint a[N];",
  );
});

test("a_value_outside_of_its_range_is_at_its_end", () => {
  const [low, high] = definesOf(
    "#define A 1 // 4..64\n#define B 99 // 4, 5, 64",
  );
  expect([low && stopOf(low), high && stopOf(high)]).toEqual([0, 2]);
});

test("a_button_adds_the_range", () => {
  const code = "#define N 512\nint a[N];";
  const [define] = definesOf(code);
  if (!define) throw new Error("There is no define.");
  expect(withSlider(code, define)).toBe("#define N 512 // 64..4096\nint a[N];");
});
