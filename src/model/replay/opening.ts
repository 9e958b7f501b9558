/** Which access makes a good first picture. */
import type { StepView } from "../../engine/generated/StepView";

/** With fewer indices that are not 0, the address bits show little. */
const INDICES = 3;

/** A walk that teaches: it reads two entries or more, at an address whose indices are mostly not 0. */
export function teaches({ translations }: StepView): boolean {
  return translations.some(
    ({ levels, refs }) =>
      refs >= 2 &&
      levels.filter(({ index }) => index !== 0).length >=
        Math.min(INDICES, levels.length),
  );
}

/** A walk without a page fault that a walk cache shortened. */
export function isShortened({ translations }: StepView): boolean {
  return translations.some(
    ({ outcome, psc }) => outcome === "walk" && psc.some(({ hit }) => hit),
  );
}
