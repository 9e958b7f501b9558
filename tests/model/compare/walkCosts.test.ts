/** The cost of one access on two machines, in one line. */
import { expect, test } from "vitest";
import type { StepView } from "../../../src/engine/generated/StepView";
import { walkCosts } from "../../../src/model/compare/walkCosts";
import { coldFault, l1Hit, pdeHit } from "../../pictures/accesses";
import { skylake } from "../../pictures/fixtures";

const ept = { ...skylake, virt: "ept" as const };

function costing(refs: number, total: number): StepView {
  const { step } = coldFault;
  return {
    ...step,
    translations: step.translations.map((each) => ({
      ...each,
      refs,
      cycles: { ...each.cycles, total },
    })),
  };
}

test.each([
  [
    costing(24, 448),
    costing(4, 110),
    "EPT 24 references, 448 cycles · native 4 references, 110 cycles · 20 references and 338 cycles less on the right",
  ],
  [
    costing(1, 20),
    costing(1, 21),
    "EPT 1 reference, 20 cycles · native 1 reference, 21 cycles · 1 cycle more on the right",
  ],
  [
    costing(2, 20),
    costing(1, 21),
    "EPT 2 references, 20 cycles · native 1 reference, 21 cycles · 1 reference less and 1 cycle more on the right",
  ],
  [pdeHit.step, null, "EPT 1 reference, 31 cycles · native not simulated"],
  [
    l1Hit.step,
    l1Hit.step,
    "EPT L1 hit, no reference, 0 cycles · native L1 hit, no reference, 0 cycles · both cost the same",
  ],
])("case_%#", (left, right, text) => {
  expect(walkCosts([ept, skylake], [left, right])).toBe(text);
});

test("two_machines_of_one_kind_are_left_and_right", () => {
  const text = walkCosts([skylake, skylake], [pdeHit.step, pdeHit.step]);
  expect(text).toMatch(/^left 1 reference.* · right 1 reference/);
});
