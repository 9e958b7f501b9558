/** The parts of an array's misses, and their bounds. */
import type { MissSplit } from "../../engine/generated/MissSplit";
import { csv } from "../shared/csv";
import { count, counted } from "../shared/format";
import { ownPoints } from "./curves";
import type { WhatIf } from "./whatIf";

export interface SplitPart {
  readonly id: "compulsory" | "capacity" | "conflict" | "rest";
  readonly name: string;
  /** Negative for misses that are saved. */
  readonly misses: number;
  /** The number in words: `1,204`, or `408 misses fewer` with what it is compared to. */
  readonly text: string;
  /** For saved misses: the array that has more. */
  readonly than?: string;
  readonly help: string;
}

function part(
  id: SplitPart["id"],
  name: string,
  misses: number,
  help: string,
  other = "",
): SplitPart {
  if (misses >= 0) return { id, name, misses, text: count(misses), help };
  const text = `${counted(-misses, "miss", "misses")} fewer`;
  return { id, name, misses, text, than: `than ${other}`, help };
}

/** The parts of `measured`, the misses that the run counted; they sum to it. */
export function splitParts(
  { compulsory, capacity, conflict, misses }: MissSplit,
  measured: number,
): readonly SplitPart[] {
  return [
    part(
      "compulsory",
      "compulsory",
      compulsory,
      "First uses of a page: even an unlimited array misses them. Only larger pages have fewer.",
    ),
    part(
      "capacity",
      "capacity",
      capacity,
      "Further misses of a fully associative LRU array with as many entries.",
    ),
    part(
      "conflict",
      "conflict",
      conflict,
      "The difference that its sets make, under LRU with the low bits as index. Sets can also save misses: they keep pages that full LRU would evict.",
      "a fully associative LRU array of this size",
    ),
    part(
      "rest",
      "policy, index, sharing",
      measured - misses,
      "The difference between the run and that array: another policy or index, other accesses in the same array, and level 1, which hides uses from level 2. A policy or index can also save misses.",
      "LRU with the low bits as index",
    ),
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

/** The share of the bar, in percent, that saved misses take back. */
export function savedWidth(parts: readonly SplitPart[]): number {
  const sum = (sign: 1 | -1) =>
    parts.reduce((all, { misses }) => all + Math.max(0, sign * misses), 0);
  return sum(1) > 0 ? Math.min(100, (sum(-1) / sum(1)) * 100) : 0;
}

/** The parts, the bounds, and the reach compared with the footprint. */
export function splitCsv(split: MissSplit, measured: number): string {
  return csv([
    ["what", "number", "unit", "note"],
    ...splitParts(split, measured).map(({ name, misses, text, than }) => [
      name,
      misses,
      "misses",
      than === undefined ? "" : `${text} ${than}`,
    ]),
    ["all", measured, "misses", ""],
    ["fewest possible", split.optimum, "misses", ""],
    ["ideal TLB", split.compulsory, "misses", ""],
    ["reach", split.reach_bytes, "bytes", ""],
    ["footprint", split.footprint_bytes, "bytes", ""],
  ]);
}
