import { describe, expect, test } from "vitest";
import type { StructureView } from "../../../src/engine/generated/StructureView";
import {
  ageScale,
  arrayLayout,
  entryAt,
  entryRange,
  keyLabel,
  placeAt,
  positionOf,
  otherSlots,
  usedSlots,
} from "../../../src/model/tlb/array";
import {
  eventIn,
  usedArray,
  usedSecondLevel,
} from "../../../src/model/tlb/event";
import {
  levelName,
  pscName,
  structureName,
  tabNames,
} from "../../../src/model/tlb/names";
import { spelledMasks } from "../../../src/model/config/choices";
import { prefixLabel } from "../../../src/model/tlb/prefix";
import {
  setBits,
  setFormula,
  setOf,
  setRule,
  wayGroups,
} from "../../../src/model/tlb/set";
import { tabOf, tlbTabs } from "../../../src/model/tlb/tabs";
import * as accesses from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";
import {
  emptyColumns,
  put,
  skylake,
  structure,
  teaching,
  zen,
} from "../../pictures/fixtures";

function shape(
  sets: number,
  ways: number,
  more: Partial<StructureView> = {},
): StructureView {
  return structure("array", "l2", sets, ways, { serves: [], ...more });
}

function first({ step }: Scene) {
  const [translation] = step.translations;
  if (!translation) throw new Error("a scene has a translation");
  return translation;
}

describe("layout", () => {
  test.each([
    [
      "16_sets_of_4_are_cells",
      16,
      4,
      { kind: "cells", columns: 16, rows: 4, fold: 1 },
    ],
    [
      "64_ways_are_a_grid",
      1,
      64,
      { kind: "cells", columns: 16, rows: 4, fold: 16 },
    ],
    [
      "4_ways_are_one_row",
      1,
      4,
      { kind: "cells", columns: 4, rows: 1, fold: 4 },
    ],
    ["one_way", 1, 1, { kind: "cells", columns: 1, rows: 1, fold: 1 }],
    ["2_sets_of_64", 2, 64, { kind: "cells", columns: 16, rows: 8, fold: 8 }],
    [
      "32_sets_are_a_map",
      32,
      4,
      { kind: "map", columns: 32, rows: 4, fold: 1 },
    ],
    ["stlb", 128, 12, { kind: "map", columns: 128, rows: 12, fold: 1 }],
    ["4096_ways", 1, 4096, { kind: "map", columns: 128, rows: 32, fold: 128 }],
    [
      "4096_sets_of_one",
      4096,
      1,
      { kind: "map", columns: 4096, rows: 1, fold: 1 },
    ],
  ])("%s", (_name, sets, ways, layout) =>
    expect(arrayLayout(shape(sets, ways))).toEqual(layout),
  );

  test("every_slot_has_one_place", () => {
    for (const [sets, ways] of [
      [16, 4],
      [1, 64],
      [1, 24],
      [2, 64],
      [3, 5],
      [4, 48],
      [1, 4096],
      [256, 40],
      [128, 12],
    ] as const) {
      const view = shape(sets, ways);
      const layout = arrayLayout(view);
      const seen = new Set<number>();
      for (let row = 0; row < layout.rows; row++)
        for (let column = 0; column < layout.columns; column++) {
          const place = placeAt(view, layout, column, row);
          if (!place) continue;
          seen.add(place.set * ways + place.way);
          expect(positionOf(layout, place.set, place.way)).toEqual({
            column,
            row,
          });
        }
      expect(seen.size).toBe(sets * ways);
    }
  });
});

describe("ages", () => {
  test("are_quarters_of_the_entries", () => {
    const columns = emptyColumns(shape(1, 8));
    for (let way = 0; way < 8; way++)
      put(columns, way, { key: BigInt(way), usedAt: way * 100 });
    const age = ageScale(columns);
    expect([700, 600, 500, 400, 300, 200, 100, 0].map(age)).toEqual([
      0, 0, 1, 1, 2, 2, 3, 3,
    ]);
  });
  test("a_single_entry_is_recent_and_empty_slots_do_not_count", () => {
    const columns = emptyColumns(shape(1, 64));
    put(columns, 9, { key: 1n, usedAt: 5 });
    expect(ageScale(columns)(5)).toBe(0);
    expect(usedSlots(columns)).toBe(1);
  });
});

describe("what happened in an array", () => {
  test("a_fill_after_a_miss", () => {
    expect(
      eventIn(first(accesses.pdeHit), accesses.pdeHit.machine, 2, "load"),
    ).toMatchObject({
      what: "fill",
      set: 5,
      way: 3,
      outcome: "walk",
    });
  });
  test("a_hit", () => {
    expect(
      eventIn(first(accesses.l2Hit), accesses.l2Hit.machine, 5, "load"),
    ).toMatchObject({
      what: "hit",
      set: 48,
      way: 3,
    });
  });
  test("a_miss_without_a_fill", () => {
    expect(
      eventIn(first(accesses.pdeHit), accesses.pdeHit.machine, 3, "load"),
    ).toMatchObject({
      what: "miss",
      set: 1,
      way: null,
    });
  });
  test("arrays_of_another_kind_are_not_asked", () => {
    expect(
      eventIn(first(accesses.pdeHit), accesses.pdeHit.machine, 0, "load"),
    ).toMatchObject({
      what: "not-asked",
      set: null,
    });
  });
  test("arrays_of_the_same_kind_are_asked_together_even_for_pages_that_they_cannot_hold", () => {
    const { machine } = accesses.pdeHit;
    const silent = {
      ...first(accesses.pdeHit),
      tlb: first(accesses.pdeHit).tlb.filter((each) => each.structure === 2),
    };
    expect(
      [0, 3, 6].map((at) => eventIn(silent, machine, at, "load").what),
    ).toEqual(["not-asked", "other-size", "other-size"]);
    expect(eventIn(silent, machine, 3, "prefetch").what).toBe("other-size");
    expect(
      eventIn({ ...silent, outcome: "l1-hit" }, machine, 6, "load").what,
    ).toBe("not-asked");
  });
  test("a_table_entry_that_was_found_in_an_array", () => {
    const { machine } = accesses.zenWalk;
    expect(eventIn(first(accesses.zenWalk), machine, 3, "load")).toMatchObject({
      what: "fill",
      set: 181,
      table: { set: 225, way: 2 },
    });
  });
  test("walk_caches", () => {
    expect(
      eventIn(first(accesses.pdpteHit), accesses.pdpteHit.machine, 7, "load"),
    ).toMatchObject({
      what: "fill",
      set: 1,
      way: 0,
    });
    expect(
      eventIn(first(accesses.pdpteHit), accesses.pdpteHit.machine, 8, "load"),
    ).toMatchObject({
      what: "hit",
      way: 0,
    });
    expect(
      eventIn(first(accesses.pdpteHit), accesses.pdpteHit.machine, 9, "load"),
    ).toMatchObject({
      what: "not-asked",
    });
  });
  test("the_array_that_the_access_used_is_shown", () => {
    expect(usedArray(first(accesses.pdeHit), skylake, "load")).toBe(2);
    expect(usedArray(first(accesses.bigPage), skylake, "load")).toBe(3);
    expect(usedArray(first(accesses.zenWalk), zen, "load")).toBe(1);
  });
  test("so_is_its_second_level", () => {
    expect(usedSecondLevel(first(accesses.hugePage), skylake, "load")).toBe(6);
    expect(usedSecondLevel(first(accesses.l1Hit), skylake, "load")).toBe(5);
    expect(
      usedSecondLevel(first(accesses.blackboard), teaching, "load"),
    ).toBeNull();
  });
});

describe("entries", () => {
  const columns = accesses.pdeHit.columns[2];
  test("are_read_from_the_columns", () => {
    expect(columns && entryAt(columns, 4, 5, 3)).toEqual({
      set: 5,
      way: 3,
      key: 0x7f3a1c2b5n,
      keyShift: 12,
      table: false,
      guestPhysical: false,
      prefetched: false,
      filledAt: 12_345,
      usedAt: 12_345,
      hits: 0,
    });
  });
  test("are_prefetched_until_an_access_uses_them", () => {
    const table = columns?.table.slice().fill(2);
    expect(
      columns && table && entryAt({ ...columns, table }, 4, 5, 3),
    ).toMatchObject({ table: false, prefetched: true });
  });
  test("a_page_of_the_host_is_no_page_of_the_program_and_no_table_entry", () => {
    const table = columns?.table.slice().fill(0);
    table?.set([3, 1, 2]);
    const all = columns && table && { ...columns, table };
    expect(
      all && [0, 1, 2].map((way) => entryAt(all, 4, 0, way)),
    ).toMatchObject([
      { table: true, guestPhysical: true },
      { table: true, guestPhysical: false },
      { table: false, guestPhysical: false },
    ]);
    expect(all && otherSlots(all)).toBe(2);
  });
  test("cover_a_range_of_addresses", () => {
    const entry = columns && entryAt(columns, 4, 5, 3);
    expect(entry && entryRange(entry)).toEqual({
      first: "0x7f3a1c2b5000",
      last: "0x7f3a1c2b5fff",
    });
  });
  test("table_entries_are_counted", () => {
    const array = accesses.zenWalk.columns[3];
    expect(array && otherSlots(array)).toBe(1);
  });
  test("keys_are_shortened_to_what_fits", () => {
    expect(
      [3, 5, 9, 10].map((digits) => keyLabel(0x7f3a1c2b5n, digits)),
    ).toEqual(["…2b5", "…1c2b5", "7f3a1c2b5", "7f3a1c2b5"]);
    expect([0xfn, 0x40bn, 0x4852n].map((key) => keyLabel(key, 3))).toEqual([
      "f",
      "40b",
      "4852",
    ]);
  });
  test("prefixes_are_indices", () => {
    const { levels } = first(accesses.pdeHit);
    const key = 0x7f3a1c2b5e48n;
    expect(prefixLabel(key >> 21n, 21, levels, 120)).toBe("254·232·225");
    expect(prefixLabel(key >> 21n, 21, levels, 76)).toBe("…232·225");
    expect(prefixLabel(key >> 39n, 39, levels, 76)).toBe("254");
    expect(prefixLabel(key >> 21n, 21, levels, 20)).toBe("");
  });
});

describe("sets", () => {
  const xor = shape(128, 12, { index: "xor", replacement: "mru3-plru4" });
  test.each([
    [
      shape(16, 4),
      "0x7f3a1c2b5",
      "set = last hex digit of the page number = 5",
    ],
    [
      shape(256, 8),
      "0x7f3a1c2b5",
      "set = last 2 hex digits of the page number: b5 = 181",
    ],
    [shape(8, 4), "0x3f9d0e1", "set = low 3 bits of the page number = 1"],
    [shape(2, 4), null, "set = lowest bit of the page number"],
    [shape(1, 64), "0x1", "fully associative: any page in any way"],
    [xor, "0x7f3a1c2b5", "set = low 7 bits xor next 7 = 53 xor 5 = 48"],
    [xor, null, "set = low 7 bits xor next 7"],
  ])("are_chosen_by_a_rule", (view, key, text) =>
    expect(setFormula(view, key)).toBe(text),
  );

  test("the_rule_is_short_under_the_address", () => {
    expect([shape(16, 4), shape(2, 4), xor, shape(1, 4)].map(setRule)).toEqual([
      "low 4 bits",
      "lowest bit",
      "low 7 xor next 7",
      null,
    ]);
  });
  test("masks_choose_as_the_functions_that_they_spell", () => {
    const keys = [0n, 0x7f3a1c2b5n, 0xffffn, 0x1234567n];
    for (const named of [xor, shape(128, 12)]) {
      const index = { "xor-masks": spelledMasks(named.index, 7) };
      expect(keys.map((key) => setOf({ ...named, index }, key))).toEqual(
        keys.map((key) => setOf(named, key)),
      );
    }
  });
  test("masks_are_named_and_their_bits_are_marked", () => {
    const masked = shape(4, 2, { index: { "xor-masks": ["0x15", "0x8"] } });
    expect(setRule(masked)).toBe("2 xor masks");
    expect(
      [null, "0x1c", "0x11"].map((key) => setFormula(masked, key)),
    ).toEqual([
      "set = 2 xor masks of the page number",
      "set = 2 xor masks of the page number = 2",
      "set = 2 xor masks of the page number = 0",
    ]);
    expect(setBits(masked, 12, 47)).toEqual([
      { low: 12, high: 12 },
      { low: 14, high: 16 },
    ]);
    expect(setBits(masked, 12, 15)).toEqual([
      { low: 12, high: 12 },
      { low: 14, high: 15 },
    ]);
  });
  test("bits_above_the_address_do_not_choose", () => {
    expect(setBits(xor, 12, 20)).toEqual([
      { low: 12, high: 18 },
      { low: 19, high: 20 },
    ]);
    expect(setBits(shape(1, 4), 12, 47)).toEqual([]);
  });
  test("the_tree_used_last_is_safe_and_the_next_one_gives_up_a_way", () => {
    const usedAt = [1, 2, 3, 9, 4, -1, -1, -1, -1, -1, -1, -1];
    expect(wayGroups(xor, usedAt).map(({ label }) => label)).toEqual([
      "group 0 · used last",
      "group 1 · loses an entry next",
      "group 2",
    ]);
    expect(
      wayGroups(xor, usedAt.toReversed()).map(({ label }) => label),
    ).toEqual([
      "group 0 · loses an entry next",
      "group 1",
      "group 2 · used last",
    ]);
  });
  test("an_untouched_set_starts_with_tree_0", () => {
    expect(wayGroups(xor, Array<number>(12).fill(-1))[0]?.label).toBe(
      "group 0 · used last",
    );
  });
  test("other_policies_have_one_group", () => {
    expect(wayGroups(shape(128, 12), [])).toEqual([
      { from: 0, to: 12, label: null },
    ]);
  });
});

describe("names", () => {
  test("walk_caches_are_called_after_their_entries", () => {
    expect([7, 8, 9].map((at) => structureName(skylake, at))).toEqual([
      "PDE cache",
      "PDPTE cache",
      "PML4E cache",
    ]);
    expect(structureName(zen, 5)).toBe("upper walk cache");
  });
  test("a_shared_cache_is_called_after_the_entry_that_it_was_asked_for", () => {
    const { levels } = first(accesses.zenWalk);
    const asked = {
      structure: 5,
      hit: true,
      set: 0,
      way: 0,
      key: "0x1fce87",
      key_shift: 30,
    };
    expect(pscName(zen, asked, levels)).toBe("PDPTE cache");
    expect(
      pscName(zen, { ...asked, structure: 4, key_shift: 21 }, levels),
    ).toBe("PDE in L2 dTLB");
  });
  test("arrays_asked_together_have_the_name_that_they_share", () => {
    expect(levelName(skylake, [2, 3, 4], "l1")).toBe("L1 dTLB");
    expect(levelName(skylake, [2], "l1")).toBe("L1 dTLB");
    expect(levelName(skylake, [5, 6], "l2")).toBe("STLB");
    expect(levelName(zen, [0], "l1")).toBe("L1 iTLB");
    expect(
      levelName(
        {
          ...zen,
          structures: ["a", "b"].map((name) =>
            shape(1, 1, { name, serves: ["load"] }),
          ),
        },
        [0, 1],
        "l2",
      ),
    ).toBe("L2 TLB");
  });
  test("tabs_say_only_the_page_size_where_that_is_all_that_differs", () => {
    expect(tabNames(skylake, [0, 1, 2, 3, 4, 5, 6])).toEqual([
      "L1 iTLB 4K",
      "2M",
      "L1 dTLB 4K",
      "2M",
      "1G",
      "STLB",
      "1G",
    ]);
    expect(tabNames(zen, [0, 1, 2, 3])).toEqual([
      "L1 iTLB",
      "L1 dTLB",
      "L2 iTLB",
      "L2 dTLB",
    ]);
  });
  test("walk_caches_share_a_tab_that_leaves_out_what_lives_elsewhere", () => {
    const tabs = tlbTabs(zen, [1, 2, 3, 4, 5, 6]);
    expect(tabs.at(-1)).toEqual({
      label: "walk caches",
      structures: [4, 5],
      shape: null,
      used: 6,
      total: 64,
    });
    expect(tabOf(tabs, 5)).toBe(4);
    expect(tlbTabs(teaching, [5])).toHaveLength(1);
  });
});
