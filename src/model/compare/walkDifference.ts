/** The difference between two machines up to the cursor. */
import type { LockstepView } from "../../engine/generated/LockstepView";

export type Bins = Pick<
  LockstepView,
  "from" | "to" | "width" | "left_walks" | "right_walks"
>;

/**
 * The number of walks that the right side has made in excess of the left, before access `by`. Negative if the right
 * side has fewer.
 */
export interface WalkDifference {
  readonly by: number;
  readonly walks: number;
}

/** Returns the difference at the last bin border up to the cursor, where the number is exact. */
export function walkDifference(bins: Bins, at: number): WalkDifference {
  const { from, to, width, left_walks: left, right_walks: right } = bins;
  const whole = Math.floor((Math.min(at, to) - from) / Math.max(1, width));
  const n = Math.max(0, Math.min(left.length, whole));
  const sum = (walks: readonly number[]) =>
    walks.slice(0, n).reduce((total, each) => total + each, 0);
  return {
    by: Math.min(to, from + n * width),
    walks: sum(right) - sum(left),
  };
}
