/** The parts of an array's misses, and their bounds. */
import type { MissSplit } from "../../engine/generated/MissSplit";
import { csv } from "../shared/csv";
import { ownPoints } from "./curves";
import type { WhatIf } from "./whatIf";

export interface SplitPart {
  readonly id: "compulsory" | "capacity" | "conflict" | "rest";
  readonly name: string;
  /** Negative for misses that are saved. */
  readonly misses: number;
  readonly help: string;
}

/** The parts of `measured`, the misses that the run counted; they sum to it. */
export function splitParts(
  { compulsory, capacity, conflict, misses }: MissSplit,
  measured: number,
): readonly SplitPart[] {
  return [
    {
      id: "compulsory",
      name: "compulsory",
      misses: compulsory,
      help: "First uses of a page: even an unlimited array misses them. Only larger pages have fewer.",
    },
    {
      id: "capacity",
      name: "capacity",
      misses: capacity,
      help: "Further misses of a fully associative LRU array with as many entries.",
    },
    {
      id: "conflict",
      name: "conflict",
      misses: conflict,
      help: "Further misses of its sets, under LRU with the low bits as index. Negative if the sets keep what LRU would evict.",
    },
    {
      id: "rest",
      name: "policy, index, sharing",
      misses: measured - misses,
      help: "The rest of the run’s misses: another policy or index, other accesses in the same array, and level 1, which hides uses from level 2.",
    },
  ];
}

/** The misses that the run counted in the shown array, otherwise the count under LRU. */
export function measuredMisses(
  { own, view, size, comparable, isPart, place }: WhatIf,
  { misses }: Pick<MissSplit, "misses">,
): { readonly measured: number; readonly isCounted: boolean } {
  // Causes are those of the whole trace.
  const report = isPart ? undefined : comparable;
  const point =
    report &&
    ownPoints(own.machine, report, view.kinds, size).find(
      ({ id }) => id === place?.id,
    );
  return { measured: point?.misses ?? misses, isCounted: point !== undefined };
}

/** Widths in percent of the non-negative parts. */
export function splitWidths(parts: readonly SplitPart[]): readonly number[] {
  const sum = parts.reduce((all, { misses }) => all + Math.max(0, misses), 0);
  return parts.map(({ misses }) =>
    sum > 0 ? (Math.max(0, misses) / sum) * 100 : 0,
  );
}

/** The parts, the bounds, and the reach compared with the footprint. */
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
