/** What each huge page saves: the difference of the simulations without and with it. */
import type { HugeAdvice } from "../engine/generated/HugeAdvice";

/** Of one pick. */
export interface Saved {
  /** Below 0 where more are left than before. */
  readonly walks: number;
  readonly cycles: number;
  /** Several pages became huge between two simulations: what they saved is shared by the walks in each. */
  readonly isShared: boolean;
}

/** By pick; they add up to the difference of the first and the last simulation. */
export function savedByPick({ picks, points }: HugeAdvice): readonly Saved[] {
  const saved: Saved[] = [];
  for (const [at, after] of points.entries()) {
    const before = points[at - 1];
    if (!before) continue;
    const group = picks.slice(before.huge_pages, after.huge_pages);
    const walks = shares(
      before.walks - after.walks,
      group.map((pick) => pick.walks),
    );
    const cycles = shares(
      before.walk_cycles - after.walk_cycles,
      group.map((pick) => pick.walk_cycles),
    );
    for (const i of group.keys())
      saved.push({
        walks: walks[i] ?? 0,
        cycles: cycles[i] ?? 0,
        isShared: group.length > 1,
      });
  }
  return saved;
}

/** Whether anything is gained. */
export function isSaving({
  walks,
  cycles,
}: Pick<Saved, "walks" | "cycles">): boolean {
  return walks > 0 || cycles > 0;
}

/** The walks saved as parts of the most that are; nothing where none are. */
export function savedParts(
  saved: readonly Pick<Saved, "walks">[],
): readonly number[] {
  const most = Math.max(1, ...saved.map(({ walks }) => walks));
  return saved.map(({ walks }) => Math.max(0, walks) / most);
}

/** Whole numbers in proportion to the weights, which add up to `total`. */
function shares(total: number, weights: readonly number[]): readonly number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let [weight, given] = [0, 0];
  return weights.map((each, i) => {
    weight += each;
    const part = all > 0 ? weight / all : (i + 1) / weights.length;
    const share = Math.round(total * part) - given;
    given += share;
    return share;
  });
}
