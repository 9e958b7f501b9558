/** The saving of huge pages: the simulation without them minus the simulation with them. */
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import type { HugePoint } from "../../engine/generated/HugePoint";
import type { RunReport } from "../../engine/generated/RunReport";

export interface Saved {
  /** The saved walks; negative if there are more walks than without huge pages. */
  readonly walks: number;
  /** The saved miss cycles. */
  readonly cycles: number;
}

/** The cycles of L2 misses: the lookups that missed, and the walks. */
export function missCycles(
  counts: Pick<HugePoint, "l2_miss_cycles" | "walk_cycles">,
): number {
  return counts.l2_miss_cycles + counts.walk_cycles;
}

/** The saving of a run with some huge pages, compared with none. */
export function savedBy(
  { points: [none] }: Pick<HugeAdvice, "points">,
  { walks, cycles }: Pick<RunReport, "walks" | "cycles">,
): Saved {
  return {
    walks: (none?.walks ?? 0) - walks.walks,
    cycles: (none ? missCycles(none) : 0) - cycles.l2_miss - cycles.walk,
  };
}

/** Whether the saving is positive. */
export function isSaving({ walks, cycles }: Saved): boolean {
  return walks > 0 || cycles > 0;
}

/** Saved walks as parts of the largest saving; `undefined` if nothing is saved or known. */
export function savedParts(
  saved: readonly (Pick<Saved, "walks"> | undefined)[],
): readonly number[] {
  const most = Math.max(1, ...saved.map((each) => each?.walks ?? 0));
  return saved.map((each) => Math.max(0, each?.walks ?? 0) / most);
}
