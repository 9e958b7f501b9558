import { describe, expect, test } from "vitest";
import { filledPlaces } from "../../../src/model/replay/filled";
import { costOf, trail } from "../../../src/model/replay/trail";
import * as accesses from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";

function first({ step }: Scene) {
  const [translation] = step.translations;
  if (!translation) throw new Error("a scene has a translation");
  return translation;
}

test.each([
  [
    accesses.pdeHit,
    "L1 dTLB miss > STLB miss > PDE cache hit > walk, 1 reference",
  ],
  [
    accesses.pdpteHit,
    "L1 dTLB miss > STLB miss > PDE miss > PDPTE hit > walk, 2 references",
  ],
  [
    accesses.pml4eHit,
    "L1 dTLB miss > STLB miss > PDE, PDPTE miss > PML4E hit > walk, 3 references",
  ],
  [
    accesses.coldFault,
    "L1 dTLB miss > STLB miss > walk caches miss > page fault, then walk, 4 references",
  ],
  [
    accesses.hugePage,
    "L1 dTLB miss > STLB miss > PML4E cache miss > page fault, then walk, 2 references",
  ],
  [accesses.l1Hit, "L1 dTLB 4K hit"],
  [accesses.l2Hit, "L1 dTLB miss > STLB hit"],
  [
    accesses.zenWalk,
    "L1 dTLB miss > L2 dTLB miss > PDE in L2 dTLB hit > walk, 1 reference",
  ],
  [accesses.blackboard, "TLB miss > walk, 1 reference"],
])("one_chip_for_each_structure_and_the_outcome_last", (scene, chips) => {
  const found = trail(first(scene), scene.machine);
  expect(found.map(({ text }) => text).join(" > ")).toBe(chips);
  expect(found.map(({ outcome }) => outcome)).toEqual([
    ...found.slice(1).map(() => null),
    first(scene).outcome,
  ]);
});

describe("cost", () => {
  test.each([
    [
      accesses.pdeHit,
      "31 cycles = 9 STLB miss + 8 to start the walk + 14 to read the PT entry",
    ],
    [
      accesses.coldFault,
      "295 cycles = 9 STLB miss + 8 to start the walk + 278 to read 4 entries",
    ],
    [accesses.l1Hit, "0 cycles = an L1 hit is free"],
    [accesses.l2Hit, "9 cycles = the STLB hit"],
    [accesses.storeAtLevel2, "0 cycles = the first array looked up hit"],
    [accesses.zenWalk, "46 cycles = 7 L2 TLB miss + 39 to read the PT entry"],
    [accesses.blackboard, "10 cycles = 10 to read the L1 table entry"],
  ])("the_parts_stand_beside_the_sum", (scene, text) => {
    const { total, parts } = costOf(
      first(scene),
      scene.machine,
      scene.step.access.kind,
    );
    expect(`${total} ${parts}`).toBe(text);
  });
  test("each_term_is_named", () => {
    expect(
      costOf(first(accesses.pdpteHit), accesses.pdpteHit.machine, "load").terms,
    ).toEqual([
      "STLB miss, as much as a hit: 9",
      "start of a walk: 8",
      "PD entry from L3: 60",
      "PT entry from DRAM: 200",
    ]);
  });
});

test("fills_name_the_first_level_before_the_second", () => {
  const { machine } = accesses.coldFault;
  const slots = filledPlaces(first(accesses.coldFault), machine);
  expect(slots).toEqual([
    { structure: 2, set: 5, way: 3, evicted: "0x7f3a1b8b5" },
    { structure: 5, set: 48, way: 3, evicted: null },
  ]);
});

test("a_table_entry_in_a_level_2_array_is_a_fill_of_a_walk_cache", () => {
  const { machine } = accesses.zenWalk;
  const walk = first(accesses.zenWalk);
  const entries = walk.fills.map((fill) => ({ ...fill, key_shift: 21 }));
  const both = { ...walk, fills: [...walk.fills, ...entries] };
  expect(filledPlaces(both, machine)).toEqual(filledPlaces(walk, machine));
});
