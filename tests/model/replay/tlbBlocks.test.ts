import { expect, test } from "vitest";
import type { BehindView } from "../../../src/engine/generated/BehindView";
import type { TranslationView } from "../../../src/engine/generated/TranslationView";
import { sentence, sentenceParts } from "../../../src/model/replay/sentence";
import { costOf, trail } from "../../../src/model/replay/trail";
import { nativeSteps } from "../../../src/model/walk/steps";
import { hitOf, walkSummary } from "../../../src/model/walk/tables";
import * as accesses from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";

const block: BehindView = {
  hit: "TLB block",
  chip: "TLB block hit",
  cost: "level-2 miss and TLB block",
  said: "TLB block of pages 0x1230 to 0x1237 in set 6 of L2, read in 14 cycles: hit in way 0, no walk",
  set: 6,
  way: 0,
  key: "0x1234",
  key_shift: 12,
  served_by: "L2",
  cycles: 14,
};

/** The scene, as on a machine with TLB blocks. */
function withBlocks({ machine, step }: Scene, behind: BehindView) {
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

test("a_hit_in_a_tlb_block_is_named_where_a_walk_would_be", () => {
  const { machine, step, translation } = withBlocks(accesses.l2Hit, block);
  const chips = trail(translation, machine);
  expect(chips.at(-1)).toMatchObject({
    text: "TLB block hit",
    outcome: "l2-hit",
    detail: block.said,
  });
  expect(hitOf(translation, machine)).toBe("TLB block");
  expect(walkSummary(translation, machine)).toBe("no walk: TLB block hit.");
  expect(costOf(translation, machine, "load").parts).toBe(
    "= the level-2 miss and TLB block hit",
  );
  const [first] = nativeSteps({ translation, machine, kind: "load" });
  expect(first?.title).toBe("TLB block knows the frame: no walk");
  const said = sentence({ step }, machine);
  expect(said).toContain(`Every TLB missed. ${block.said}. It held frame`);
});

test("a_miss_of_the_tlb_blocks_adds_no_cycles_before_the_walk", () => {
  const said = "No TLB block of page 0x1234 in set 6 of L2";
  const missed = { ...block, hit: null, chip: "TLB block miss", said };
  const { machine, step, translation } = withBlocks(accesses.pdeHit, {
    ...missed,
    cost: null,
    way: null,
    cycles: 0,
  });
  expect(trail(translation, machine).map(({ text }) => text)).toEqual([
    "L1 dTLB miss",
    "STLB miss",
    "TLB block miss",
    "PDE cache hit",
    "walk, 1 reference",
  ]);
  expect(costOf(translation, machine, "load").parts).toMatch(
    /^= 9 STLB miss \+ /,
  );
  expect(sentence({ step }, machine)).toContain(`${said}. The PDE`);
});

test("only_the_name_of_a_block_is_a_term_so_that_the_sentence_wraps", () => {
  const { machine, step } = withBlocks(accesses.l2Hit, block);
  const terms = sentenceParts(step, machine)
    .filter(({ kind }) => kind === "term")
    .map(({ text }) => text);
  expect(terms).toContain("TLB block");
  expect(terms).not.toContain(block.said);
});
