/** What huge pages save: the simulation without any less that with them. */
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import type { RunReport } from "../../engine/generated/RunReport";

export interface Saved {
  /** Below 0 where more are left than before. */
  readonly walks: number;
  readonly cycles: number;
}

/** Of a run with some of them, beside that with none. */
export function savedBy(
  { points: [none] }: Pick<HugeAdvice, "points">,
  { walks, cycles }: Pick<RunReport, "walks" | "cycles">,
): Saved {
  return {
    walks: (none?.walks ?? 0) - walks.walks,
    cycles: (none?.walk_cycles ?? 0) - cycles.walk,
  };
}

/** Whether anything is gained. */
export function isSaving({ walks, cycles }: Saved): boolean {
  return walks > 0 || cycles > 0;
}

/** The walks saved as parts of the most that are; nothing where none are, or where it is not known. */
export function savedParts(
  saved: readonly (Pick<Saved, "walks"> | undefined)[],
): readonly number[] {
  const most = Math.max(1, ...saved.map((each) => each?.walks ?? 0));
  return saved.map((each) => Math.max(0, each?.walks ?? 0) / most);
}
