import { expect, test } from "vitest";
import {
  definesOf,
  stopOf,
  stopsOf,
  valueAt,
  withSlider,
  withValue,
} from "../../../src/model/code/defines";

const about = (code: string) =>
  definesOf(code).map(
    ({ name, value, line, range }) =>
      `${line}: ${name} = ${value}` +
      (range
        ? `, ${range.low} to ${range.high}${range.doubles ? " by doubling" : ""}`
        : ""),
  );

test.each([
  ["#define N 512 // 64..4096", ["1: N = 512, 64 to 4096 by doubling"]],
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
  expect(stopsOf(define.range)).toBe(6);
  expect(stopOf(define)).toBe(3);
  expect(withValue(code, define, valueAt(define.range, 6))).toBe(
    "#define N 4096 // 64..4096\nint a[N];",
  );
});

test("a_button_adds_the_range", () => {
  const code = "#define N 512\nint a[N];";
  const [define] = definesOf(code);
  if (!define) throw new Error("There is no define.");
  expect(withSlider(code, define)).toBe("#define N 512 // 64..4096\nint a[N];");
});
