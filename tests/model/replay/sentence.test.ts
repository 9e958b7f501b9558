import { expect, test } from "vitest";
import { TERM_IDS } from "../../../src/model/glossary/terms";
import { OBJECTS, shownParts, textOf } from "../../../src/model/replay/parts";
import type { Part } from "../../../src/model/replay/parts";
import { sentence, sentenceParts } from "../../../src/model/replay/sentence";
import * as accesses from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";
import { nestedCold, nestedWalk } from "../../pictures/nestedFixtures";

const HEAD = "Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48.";
const FILLED =
  "The translation filled L1 dTLB 4K set 5 way 3, evicting 0x7f3a1b8b5, and STLB set 48 way 3.";

test.each([
  [
    accesses.pdeHit,
    `${HEAD} The page has 4K. Every TLB missed. The PDE cache hit and skipped 3 levels. The walk read 1 entry (PT entry 181 from L2) and found frame 0x1388b, for 31 cycles. ${FILLED}`,
  ],
  [
    accesses.coldFault,
    `${HEAD} The page has 4K. First touch: the operating system mapped the page. Every TLB missed. The walk read 4 entries (PML4 entry 254 from DRAM, PDPT entry 232 from L3, PD entry 225 from L2 and PT entry 181 from L1D) and found frame 0x1388b, for 295 cycles without the OS’s work. ${FILLED}`,
  ],
  [
    accesses.l1Hit,
    `${HEAD} The page has 4K. L1 dTLB 4K set 5 way 3 held the translation to frame 0x1388b, for 0 cycles.`,
  ],
  [
    accesses.l2Hit,
    `${HEAD} The page has 4K. The first level missed. STLB set 48 way 3 held the translation to frame 0x1388b, for 9 cycles. The translation filled L1 dTLB 4K set 5 way 3, evicting 0x7f3a1b8b5.`,
  ],
  [
    accesses.straddle,
    `Access 12,345: load of 8 bytes at 0x7f3a1c2b4ffc. The first page has 4K. L1 dTLB 4K set 4 way 1 held the translation to frame 0x13890, for 0 cycles. The second page has 4K. Every TLB missed. The PDE cache hit and skipped 3 levels. The walk read 1 entry (PT entry 181 from L2) and found frame 0x1388b, for 31 cycles. ${FILLED}`,
  ],
  [
    nestedWalk,
    `${HEAD} The page has 4K. Every TLB missed. The walk read 9 of 24 entries, 5 of the host and 4 of the guest (nested TLB skipped 8, EPT PDE cache skipped 3 and EPT PDPTE cache skipped 4), and found frame 0x6e21d3, for 457 cycles.`,
  ],
  [
    nestedCold,
    `${HEAD} The page has 4K. First touch: the operating system mapped the page. Every TLB missed. After 2 EPT violations, the walk read 24 of 24 entries, 20 of the host and 4 of the guest, and found frame 0x6e21d3, for 2,661 cycles without the OS’s work.`,
  ],
])("an_access_in_words", (scene, text) => {
  expect(sentence(scene, scene.machine)).toBe(text);
});

test("where_nothing_was_asked_before_level_2_nothing_missed", () => {
  const { step, machine } = accesses.storeAtLevel2;
  expect(sentence({ step }, machine)).toBe(
    "Access 12,345: store of 8 bytes at 0x7f3a1c2b5e48. The page has 4K. STLB set 48 way 3 held the translation to frame 0x1388b, for 0 cycles.",
  );
});

test("an_unknown_size_is_left_out", () => {
  const { step, machine } = accesses.l1Hit;
  const access = { ...step.access, size: 0 };
  expect(sentence({ step: { ...step, access } }, machine)).toMatch(
    /^Access 12,345: load at 0x7f3a1c2b5e48\. The/,
  );
});

test("exits_and_what_ended_the_access_are_said", () => {
  const { step, machine } = accesses.l1Hit;
  const exits = [
    { reason: "page-table-write" as const, n: 4, violation: null },
    { reason: "hidden-fault" as const, n: 1, violation: null },
  ];
  expect(sentence({ step: { ...step, exits } }, machine)).toMatch(
    /at 0x7f3a1c2b5e48\. 5 exits to the host: 4 page-table writes and 1 hidden fault\. The page has 4K\./,
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
    `${HEAD} Page fault, not served: the page may not be written. The access ends with #PF, error code 0x7 (user, write, present).`,
  );
});

/** One line for each noun: its words, its term, and the objects of the pictures. */
const nouns = (parts: readonly Part[]) =>
  parts.flatMap((part) =>
    part.kind === "text"
      ? []
      : `${part.text} = ${part.term}${part.kind === "object" ? ` @ ${part.objects.join(" ")}` : ""}`,
  );

test("nouns_name_their_card_and_their_places_in_the_pictures", () => {
  const { step, machine } = accesses.pdeHit;
  expect(nouns(sentenceParts(step, machine))).toEqual([
    "Access = access",
    "load = load",
    "0x7f3a1c2b5e48 = virtual-address",
    "page = page",
    "TLB = tlb @ array-l1 array-l2",
    "missed = miss",
    "PDE cache = pde-cache @ cache",
    "hit = hit",
    "3 levels = level @ level-4 level-3 level-2",
    "walk = page-walk @ walk",
    "1 entry = reference @ level-1",
    "PT entry 181 = pte @ level-1",
    "L2 = cache-levels @ level-1",
    "frame 0x1388b = frame @ frame",
    "31 cycles = translation-cycles @ cycles",
    "filled = fill",
    "L1 dTLB 4K = dtlb @ array-l1",
    "set 5 = set @ set-l1",
    "way 3 = way @ entry-l1",
    "0x7f3a1b8b5 = evict @ victim-l1",
    "STLB = stlb @ array-l2",
    "set 48 = set @ set-l2",
    "way 3 = way @ entry-l2",
  ]);
});

test.each<
  [name: string, scene: Scene, which: number, short: boolean, text: string]
>([
  [
    "in_full",
    accesses.pdeHit,
    0,
    false,
    ` Every TLB missed. The PDE cache hit and skipped 3 levels. The walk read 1 entry (PT entry 181 from L2) and found frame 0x1388b, for 31 cycles. ${FILLED}`,
  ],
  [
    "in_short",
    accesses.pdeHit,
    0,
    true,
    " Every TLB missed. The PDE cache hit and skipped 3 levels. The walk read 1 entry and found frame 0x1388b, for 31 cycles. The translation filled L1 dTLB 4K set 5 way 3 and STLB set 48 way 3.",
  ],
  [
    "of_one_page",
    accesses.straddle,
    0,
    true,
    " L1 dTLB 4K set 4 way 1 held the translation to frame 0x13890, for 0 cycles.",
  ],
])("the_band_shows_%s", (_name, { step, machine }, which, short, text) => {
  expect(textOf(shownParts(sentenceParts(step, machine), which, short))).toBe(
    text,
  );
});

/** A walk whose fills evict an entry at both levels. */
const bothEvict: Scene = {
  ...accesses.pdeHit,
  step: {
    ...accesses.pdeHit.step,
    translations: accesses.pdeHit.step.translations.map((translation) => {
      const evicted = translation.fills.find((fill) => fill.evicted)?.evicted;
      const fills = translation.fills.map((fill) => ({
        ...fill,
        evicted: evicted ?? null,
      }));
      return { ...translation, fills };
    }),
  },
};

test("parts_use_known_terms_and_objects_only", () => {
  const scenes = [
    ...Object.values(accesses),
    bothEvict,
    nestedWalk,
    nestedCold,
  ];
  const parts = scenes.flatMap(({ step, machine }: Scene) =>
    sentenceParts(step, machine),
  );
  const objects = parts.flatMap((part) =>
    part.kind === "object" ? part.objects : [],
  );
  const known: readonly string[] = OBJECTS;
  expect(
    objects.filter((each) => !/^level-\d$/.test(each) && !known.includes(each)),
  ).toEqual([]);
  expect(OBJECTS.filter((each) => !objects.includes(each))).toEqual([]);
  const terms = parts.flatMap((part) =>
    part.kind === "text" ? [] : part.term,
  );
  expect(terms.filter((each) => !TERM_IDS.includes(each))).toEqual([]);
});

test("a_prefetched_page_is_named_with_the_references_of_its_walk", () => {
  const { step, machine } = accesses.l1Hit;
  const prefetches = step.translations.map((done) => ({
    ...done,
    page_number: "0x7f3a1c2b6",
    refs: 1,
  }));
  expect(sentence({ step: { ...step, prefetches } }, machine)).toMatch(
    / for 0 cycles\. Then page 0x7f3a1c2b6 was prefetched, with 1 reference\.$/,
  );
});
