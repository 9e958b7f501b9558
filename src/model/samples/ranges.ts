/** The 2M ranges that huge pages would help, in sentences, and how their pages are touched. */
import type { SurveySide } from "../../engine/generated/SurveySide";
import { count, counted } from "../shared/format";
import type { SideKey } from "./text";

/** How many of each four pages of a range were touched: 128 numbers from 0 to 4. */
export function densities(strip: string): readonly number[] {
  return Array.from(strip, (digit) => {
    const bits = Number.parseInt(digit, 16);
    return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1) + (bits >> 3);
  });
}

/** The gain of huge pages in a sentence, and the conditions. */
export function adviceOf(key: SideKey, side: SurveySide): readonly string[] {
  const { total, by_walks: byWalks, gain, cover, rows } = side.ranges;
  if (total === 0) return ["No memory range has samples."];
  const weights =
    key === "faults"
      ? "page faults"
      : byWalks
        ? "walks"
        : side.weighted
          ? "events"
          : "samples";
  const touched = `${counted(total, "range")} of 2M ${total === 1 ? "is" : "are"} touched.`;
  if (gain === 0)
    return [
      `${touched} All ${weights} are in huge pages already: nothing to gain.`,
    ];
  const [half, most, all] = cover;
  const dense = rows.filter(
    ({ touched, backing }) => touched >= HALF && isOpen(backing),
  ).length;
  return [
    `${touched} Of the ${weights} outside huge pages, 50 % are in ${count(half)}, 90 % in ${count(most)} and 99 % in ${count(all)} of them.`,
    dense > 0
      ? `${counted(dense, "range")} in this list ${dense === 1 ? "has" : "have"} samples on at least half of ${dense === 1 ? "its" : "their"} pages: a huge page there wastes little.`
      : "No range in this list has samples on half of its pages: it is sparsely used, or there are too few samples.",
    ...(key === "code"
      ? [
          "Code of a file can use huge pages if the kernel has CONFIG_READ_ONLY_THP_FOR_FS and the code is advised with MADV_HUGEPAGE, or if the program copies its code to huge pages at start. Code generated at run time is anonymous memory and can use them as data does.",
        ]
      : []),
  ];
}

/** Half of the 4K pages of a range. */
const HALF = 256;

function isOpen(backing: string): boolean {
  return backing !== "huge" && backing !== "in-one-frame";
}
