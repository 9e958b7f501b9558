import { expect, test } from "vitest";
import { chartLabels, tickMargin } from "../../../src/model/whatif/chartLabels";
import { curveScales, MARGIN } from "../../../src/model/whatif/curves";
import type { CurveLine, OwnPoint } from "../../../src/model/whatif/curves";

const line = (cold: number, most: number, last: number): CurveLine => ({
  id: "4K",
  name: "4K pages",
  rank: 0,
  points: [
    [1, most],
    [last, cold],
  ],
  cold,
  translations: most,
});

const point = (array: string, entries: number, misses: number): OwnPoint => {
  const name = `${array} ${entries / 4} × 4-way`;
  return { id: array, name, array, entries, misses };
};

const MILLIONS = [
  point("L1 dTLB 4K", 64, 4_194_304),
  point("STLB", 1536, 4_193_792),
];

interface Case {
  readonly cold: number;
  readonly most: number;
  readonly last?: number;
  readonly points: readonly OwnPoint[];
  readonly other?: number;
}

function labelsOf(facts: Case, width: number) {
  const { cold, most, last = 2048, points, other } = facts;
  const box = { width, height: 372 };
  const base = line(cold, most, last);
  const scales = curveScales([base], points, box, other);
  return chartLabels({ points, base, isOfWhole: true, other }, scales, box);
}

/** The chart in windows of 390, 1440 and 1280 px. */
const WIDTHS = [358, 550, 928];

test.each<[string, Case, string[]]>([
  [
    "a_footprint_beyond_the_axis",
    { cold: 8192, most: 4_194_304, points: MILLIONS },
    ["footprint: 8,192 pages →"],
  ],
  [
    "a_tried_size_beyond_the_axis",
    { cold: 8192, most: 4_194_304, points: MILLIONS, other: 6144 },
    ["footprint: 8,192 pages", "what if"],
  ],
  [
    "one_page",
    { cold: 1, most: 1, points: [point("STLB", 1536, 1)] },
    ["footprint: 1 page"],
  ],
  [
    "a_fall_near_the_end_of_the_axis",
    { cold: 2137, most: 35_000, last: 2200, points: MILLIONS, other: 2560 },
    ["footprint: 2,137 pages", "what if"],
  ],
])("with_%s_all_names_are_whole_and_apart", (_, facts, expected) => {
  for (const width of WIDTHS) {
    const labels = labelsOf(facts, width);
    const texts = labels.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(expected));
    // Each point and the floor have a name, too.
    expect(texts).toHaveLength(expected.length + facts.points.length + 1);
    const boxes = labels.map(({ text, x, y, anchor, isStrong }) => {
      const long = text.length * (isStrong ? 7.2 : 6);
      const left = anchor === "start" ? x : x - long;
      return { text, left, right: left + long, top: y - 11, bottom: y + 3 };
    });
    for (const box of boxes) {
      expect(box.left, box.text).toBeGreaterThanOrEqual(MARGIN.left);
      expect(box.right, box.text).toBeLessThanOrEqual(width - MARGIN.right);
      expect(box.top, box.text).toBeGreaterThanOrEqual(MARGIN.top);
      const crossed = boxes.filter(
        (other) =>
          other !== box &&
          other.left < box.right &&
          box.left < other.right &&
          other.top < box.bottom &&
          box.top < other.bottom,
      );
      expect(crossed, box.text).toEqual([]);
    }
  }
});

test.each([
  [0, 62],
  [4_193_792, 71],
  [1_234_567_890, 98],
])("the_margin_of_an_axis_holds_%i", (n, wide) => {
  expect(tickMargin(n, 62)).toBe(wide);
});
