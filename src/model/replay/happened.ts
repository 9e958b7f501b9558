/** Whether something happened around an access. Its words load when there is something to say. */
import type { ActView } from "../../engine/generated/ActView";
import type { StepView } from "../../engine/generated/StepView";

/** A first touch is common: the pictures show it as a fault. */
export function isListed({ act }: ActView): boolean {
  return act !== "map" && act !== "map-shared";
}

export function hasHappenings({
  before,
  acts = [],
  after,
}: Pick<StepView, "before" | "acts" | "after">): boolean {
  return before.length + after.length > 0 || acts.some(isListed);
}
