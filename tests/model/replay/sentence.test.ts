import { expect, test } from "vitest";
import { sentence } from "../../../src/model/replay/sentence";
import * as accesses from "../../pictures/accesses";
import { nestedCold, nestedWalk } from "../../pictures/nestedFixtures";

test.each([
  [
    accesses.pdeHit,
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, in a page of 4K: every TLB missed, PDE cache hit and skipped 3 levels, and the walk read 1 entry (PT entry 181 from L2) to frame 0x1388b, for 31 cycles; filled L1 dTLB 4K set 5 way 3, evicting 0x7f3a1b8b5, and STLB set 48 way 3.",
  ],
  [
    accesses.coldFault,
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, in a page of 4K: the page was touched for the first time and the operating system mapped it; every TLB missed, and the walk read 4 entries (PML4 entry 254 from DRAM, PDPT entry 232 from L3, PD entry 225 from L2 and PT entry 181 from L1D) to frame 0x1388b, for 295 cycles; filled L1 dTLB 4K set 5 way 3, evicting 0x7f3a1b8b5, and STLB set 48 way 3.",
  ],
  [
    accesses.l1Hit,
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, in a page of 4K: L1 dTLB 4K held the translation to frame 0x1388b, for 0 cycles.",
  ],
  [
    accesses.l2Hit,
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, in a page of 4K: the first level missed and STLB held the translation to frame 0x1388b, for 9 cycles; filled L1 dTLB 4K set 5 way 3, evicting 0x7f3a1b8b5.",
  ],
  [
    accesses.straddle,
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b4ffc, first page, in a page of 4K: L1 dTLB 4K held the translation to frame 0x13890, for 0 cycles; second page, in a page of 4K: every TLB missed, PDE cache hit and skipped 3 levels, and the walk read 1 entry (PT entry 181 from L2) to frame 0x1388b, for 31 cycles; filled L1 dTLB 4K set 5 way 3, evicting 0x7f3a1b8b5, and STLB set 48 way 3.",
  ],
  [
    nestedWalk,
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, in a page of 4K: every TLB missed, and the walk read 9 of 24 entries, 5 of the host and 4 of the guest (nested TLB skipped 8, EPT PDE cache skipped 3 and EPT PDPTE cache skipped 4) to frame 0x6e21d3, for 457 cycles.",
  ],
  [
    nestedCold,
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, in a page of 4K: the page was touched for the first time and the operating system mapped it; every TLB missed, and after 2 EPT violations the walk read 24 of 24 entries, 20 of the host and 4 of the guest to frame 0x6e21d3, for 2,661 cycles.",
  ],
])("an_access_is_one_sentence", (scene, text) => {
  expect(sentence(scene, scene.machine)).toBe(text);
});

test("where_nothing_was_asked_before_level_2_nothing_missed", () => {
  const { step, machine } = accesses.storeAtLevel2;
  expect(sentence({ step }, machine)).toBe(
    "Access 12,345: store of 8 bytes at 0x7f3a1c2b5e48, in a page of 4K: STLB held the translation to frame 0x1388b, for 0 cycles.",
  );
});

test("an_unknown_size_is_left_out", () => {
  const { step, machine } = accesses.l1Hit;
  const access = { ...step.access, size: 0 };
  expect(sentence({ step: { ...step, access } }, machine)).toMatch(
    /^Access 12,345: load at 0x7f3a1c2b5e48, in/,
  );
});

test("exits_and_what_ended_the_access_are_told", () => {
  const { step, machine } = accesses.l1Hit;
  const exits = [
    { reason: "page-table-write" as const, n: 4, violation: null },
    { reason: "hidden-fault" as const, n: 1, violation: null },
  ];
  expect(sentence({ step: { ...step, exits } }, machine)).toMatch(
    /at 0x7f3a1c2b5e48, 5 exits to the host: 4 page-table writes and 1 hidden fault; in a page of 4K/,
  );
  const exception = {
    name: "#PF",
    code: "0x7",
    address: step.access.address,
    meaning: "the page may not be written",
  };
  expect(
    sentence({ step: { ...step, exception, translations: [] } }, machine),
  ).toBe(
    "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, #PF 0x7: the page may not be written.",
  );
});
