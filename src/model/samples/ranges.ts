/** Which ranges of 2M huge pages would help, in sentences, and how their pages are touched. */
import type { SurveySide } from "../../engine/generated/SurveySide";
import { count, counted } from "../shared/format";
import type { SideKey } from "./text";

/** Of each four pages of a range, how many were touched: 128 numbers from 0 to 4. */
export function densities(strip: string): readonly number[] {
  return Array.from(strip, (digit) => {
    const bits = Number.parseInt(digit, 16);
    return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1) + (bits >> 3);
  });
}

/** What huge pages would take in, and what that needs. */
export function adviceOf(key: SideKey, side: SurveySide): readonly string[] {
  const { total, by_walks: byWalks, gain, cover, rows } = side.ranges;
  if (total === 0) return ["No range of memory has samples."];
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
      `${touched} No ${weights} are outside huge pages: nothing to gain.`,
    ];
  const [half, most, all] = cover;
  const dense = rows.filter(
    ({ touched, backing }) => touched >= HALF && isOpen(backing),
  ).length;
  return [
    `${touched} Of the ${weights} outside huge pages, 50 % are in ${count(half)}, 90 % in ${count(most)} and 99 % in ${count(all)} of them.`,
    dense > 0
      ? `${counted(dense, "range")} listed here ${dense === 1 ? "shows" : "show"} samples on half of ${dense === 1 ? "its" : "their"} pages or more: a huge page there wastes little.`
      : "No range listed here shows samples on half of its pages: that is little use, or too few samples to see it.",
    ...(key === "code"
      ? [
          "Code of a file has huge pages where the kernel has CONFIG_READ_ONLY_THP_FOR_FS and the code is advised with MADV_HUGEPAGE, or where the program copies its code onto huge pages when it starts; code that is made at run time is anonymous memory and can have them as data has.",
        ]
      : []),
  ];
}

/** Half of the 4K pages of a range. */
const HALF = 256;

function isOpen(backing: string): boolean {
  return backing !== "huge" && backing !== "in-one-frame";
}
