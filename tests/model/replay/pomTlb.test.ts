import { expect, test } from "vitest";
import type { BehindView } from "../../../src/engine/generated/BehindView";
import type { TranslationView } from "../../../src/engine/generated/TranslationView";
import { sentence } from "../../../src/model/replay/sentence";
import { costOf, trail } from "../../../src/model/replay/trail";
import { nativeSteps } from "../../../src/model/walk/steps";
import { hitOf, walkSummary } from "../../../src/model/walk/tables";
import * as accesses from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";

const pom: BehindView = {
  hit: "POM-TLB",
  chip: "POM-TLB hit",
  cost: "level-2 miss and POM-TLB",
  said: "POM-TLB set 5 at 0xf000000000140, read from L2 in 14 cycles: hit in way 0, no walk",
  set: 5,
  way: 0,
  key: "0x1234",
  key_shift: 12,
  address: "0xf000000000140",
  served_by: "L2",
  cycles: 14,
};

/** The scene, as on a machine with a POM-TLB. */
function withPom({ machine, step }: Scene, behind: BehindView) {
  const [first] = step.translations;
  if (!first) throw new Error("a scene has a translation");
  const translation: TranslationView = {
    ...first,
    behind,
    tlb: first.tlb.map((lookup) => ({ ...lookup, hit: false, way: null })),
  };
  return {
    machine,
    step: { ...step, translations: [translation] },
    translation,
  };
}

test("a_hit_of_the_behind_is_named_where_a_walk_would_be", () => {
  const { machine, step, translation } = withPom(accesses.l2Hit, pom);
  const chips = trail(translation, machine);
  expect(chips.map(({ text }) => text)).toEqual([
    "L1 dTLB miss",
    "STLB miss",
    "POM-TLB hit",
  ]);
  expect(chips.at(-1)).toMatchObject({ outcome: "l2-hit", detail: pom.said });
  expect(hitOf(translation, machine)).toBe("POM-TLB");
  expect(walkSummary(translation, machine)).toBe("no walk: POM-TLB hit.");
  expect(costOf(translation, machine, "load").parts).toBe(
    "= the level-2 miss and POM-TLB hit",
  );
  const [first] = nativeSteps({ translation, machine, kind: "load" });
  expect(first?.title).toBe("POM-TLB knows the frame: no walk");
  expect(first?.lines).toContainEqual({
    term: "read",
    text: pom.said,
    mono: false,
  });
  const said = sentence({ step }, machine);
  expect(said).toContain(`Every TLB missed. ${pom.said}. It held frame`);
  expect(said).not.toContain("The walk");
});

test("a_miss_of_the_behind_comes_before_the_walk", () => {
  const missed = {
    ...pom,
    hit: null,
    chip: "POM-TLB miss",
    cost: "level-2 and POM-TLB",
    said: "POM-TLB set 5: miss",
  };
  const { machine, step, translation } = withPom(accesses.pdeHit, missed);
  expect(trail(translation, machine).map(({ text }) => text)).toEqual([
    "L1 dTLB miss",
    "STLB miss",
    "POM-TLB miss",
    "PDE cache hit",
    "walk, 1 reference",
  ]);
  expect(costOf(translation, machine, "load").parts).toMatch(
    /^= 9 level-2 and POM-TLB miss \+ /,
  );
  expect(sentence({ step }, machine)).toContain("POM-TLB set 5: miss. The PDE");
});
