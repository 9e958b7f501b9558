import { expect, test } from "vitest";
import {
  loopNumbers,
  loopRatios,
  ratioText,
} from "../../../src/model/loop/numbers";
import { report } from "../../state/fakeData";

const run = (n: number, walks: number, cycles: number) => {
  const whole = report(n);
  const load = { translations: n, l1_hits: n - walks, l2_hits: 0, walks };
  return {
    report: {
      ...whole,
      kinds: { ...whole.kinds, load },
      walks: { ...whole.walks, walks },
      cycles: { l2_hit: 0, l2_miss: cycles, walk: cycles, total: 2 * cycles },
    },
  };
};

const texts = (numbers: ReturnType<typeof loopNumbers>) =>
  numbers.map(({ id, text, share }) => `${id} ${text} ${share}`.trim());

test("a_program_has_misses_walks_and_cycles", () => {
  expect(texts(loopNumbers(run(4_194_304, 8192, 300_648)))).toEqual([
    "accesses 4,194,304",
    "misses 8,192 0.20 %",
    "walks 8,192 0.20 %",
    "walk-cycles 300,648",
    "per-access 0.14",
  ]);
});

test("two_programs_have_their_ratio", () => {
  const ratios = loopRatios(run(1000, 10, 100), run(1000, 5120, 24_300));
  expect(texts(ratios)).toEqual([
    "accesses 1×",
    "misses 512×",
    "walks 512×",
    "walk-cycles 243×",
    "per-access 243×",
  ]);
});

test.each([
  [8192, 4_193_792, "512×"],
  [10, 11, "1.10×"],
  [10, 5, "0.50×"],
  [4, 50, "12.5×"],
  [4_193_792, 8192, "1/512×"],
  [0, 0, "1×"],
  [0, 5, "–"],
  [5, 0, "–"],
])("%d to %d is %s", (first, second, text) =>
  expect(ratioText(first, second)).toBe(text),
);
