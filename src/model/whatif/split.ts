/** What the misses of an array are made of, and what bounds them. */
import type { MissSplit } from "../../engine/generated/MissSplit";
import { csv } from "../shared/csv";

export interface SplitPart {
  readonly id: "compulsory" | "capacity" | "conflict" | "rest";
  readonly name: string;
  /** Below 0: misses that are saved. */
  readonly misses: number;
  readonly help: string;
}

/** The parts of `measured`, the misses that the run counted; they add up to it. */
export function splitParts(
  { compulsory, capacity, conflict, misses }: MissSplit,
  measured: number,
): readonly SplitPart[] {
  return [
    {
      id: "compulsory",
      name: "compulsory",
      misses: compulsory,
      help: "First uses of a page: an array without end misses them, too. Only larger pages have fewer.",
    },
    {
      id: "capacity",
      name: "capacity",
      misses: capacity,
      help: "What a fully associative LRU array of as many entries misses beyond those.",
    },
    {
      id: "conflict",
      name: "conflict",
      misses: conflict,
      help: "What its sets miss beyond that, under LRU with the low bits as index. Below 0 where sets keep what LRU would give up.",
    },
    {
      id: "rest",
      name: "policy, index, sharing",
      misses: measured - misses,
      help: "What the run counted beyond that: another replacement or index, other accesses in the same array, and level 1, which hides uses from a second level.",
    },
  ];
}

/** Widths in percent of the parts that are not below 0. */
export function splitWidths(parts: readonly SplitPart[]): readonly number[] {
  const sum = parts.reduce((all, { misses }) => all + Math.max(0, misses), 0);
  return parts.map(({ misses }) =>
    sum > 0 ? (Math.max(0, misses) / sum) * 100 : 0,
  );
}

/** The parts, the bounds, and the reach beside the footprint. */
export function splitCsv(split: MissSplit, measured: number): string {
  return csv([
    ["what", "number", "unit"],
    ...splitParts(split, measured).map(({ name, misses }) => [
      name,
      misses,
      "misses",
    ]),
    ["all", measured, "misses"],
    ["fewest possible", split.optimum, "misses"],
    ["ideal TLB", split.compulsory, "misses"],
    ["reach", split.reach_bytes, "bytes"],
    ["footprint", split.footprint_bytes, "bytes"],
  ]);
}
