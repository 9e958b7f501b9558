/** Where the pictures mark changes by operations around an access, and by acts of the operating system. */
import type { ChangeView } from "../../engine/generated/ChangeView";
import type { EffectsView } from "../../engine/generated/EffectsView";
import type { LevelView } from "../../engine/generated/LevelView";
import type { StepView } from "../../engine/generated/StepView";

type Around = Pick<StepView, "before" | "acts" | "after">;

function effectsOf({ before, acts = [], after }: Around): EffectsView[] {
  return [...before, ...acts, ...after];
}

/** The number of entries that these structures lost together. */
export function lossesOf(step: Around, structures: readonly number[]): number {
  return effectsOf(step)
    .flatMap(({ dropped }) => structures.map((at) => dropped[at] ?? 0))
    .reduce((sum, n) => sum + n, 0);
}

/** Changes of entries that existed before: a first mapping is shown as a fault. */
export function changesOf(step: Around): ChangeView[] {
  return effectsOf(step)
    .flatMap((effects) => effects.changes)
    .filter(({ was }) => BigInt(was) !== 0n);
}

/** The last change of a level's entry, except its first mapping; `null` if there was none. */
export function changeOf(
  step: Around,
  { entry_address }: Pick<LevelView, "entry_address">,
): ChangeView | null {
  return (
    changesOf(step).findLast(
      (change) => !change.host && change.entry_address === entry_address,
    ) ?? null
  );
}
