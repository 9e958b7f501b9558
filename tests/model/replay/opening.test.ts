/** Which accesses make a good first picture. */
import { expect, test } from "vitest";
import type { StepView } from "../../../src/engine/generated/StepView";
import { isShortened, teaches } from "../../../src/model/replay/opening";
import { coldFault, l1Hit, pdeHit } from "../../pictures/accesses";

/** The access with these indices. */
function at(indices: readonly number[], { step }: { step: StepView }) {
  const translations = step.translations.map((each) => ({
    ...each,
    levels: each.levels.map((level, n) => ({
      ...level,
      index: indices[n] ?? 0,
    })),
  }));
  return { ...step, translations };
}

test.each([
  ["three indices that are not 0 teach", [0, 127, 503, 511], coldFault, true],
  ["two do not", [0, 0, 503, 511], coldFault, false],
  ["one reference does not", [254, 232, 225, 181], pdeHit, false],
  ["a hit does not", [254, 232, 225, 181], l1Hit, false],
])("%s", (_, indices, scene, does) => {
  expect(teaches(at(indices, scene))).toBe(does);
});

test("a_walk_cache_shortens_a_walk", () => {
  expect(isShortened(pdeHit.step)).toBe(true);
  expect(isShortened(l1Hit.step)).toBe(false);
});
