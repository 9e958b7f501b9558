/** Tests of the structures of nested walks in the TLB picture. */
import { expect, test } from "vitest";
import { arrayLayout } from "../../../src/model/tlb/array";
import { eventIn, usedArray } from "../../../src/model/tlb/event";
import { structureName } from "../../../src/model/tlb/names";
import { tlbTabs } from "../../../src/model/tlb/tabs";
import {
  amd,
  EPT_PDE,
  EPT_PDPTE,
  NESTED_TLB,
  nestedWalk,
  virtual,
} from "../../pictures/nestedFixtures";

const walk = nestedWalk.step.translations[0];
if (!walk) throw new Error("a scene has a translation");

test("nested_tlb_and_ept_caches_have_tabs", () => {
  const labels = tlbTabs(virtual, []).map(({ label }) => label);
  expect(labels.slice(-3)).toEqual(["nested TLB", "walk caches", "EPT caches"]);
  expect(tlbTabs(virtual, []).at(-1)?.structures).toEqual([
    EPT_PDE,
    EPT_PDPTE,
    EPT_PDPTE + 1,
  ]);
  expect(
    tlbTabs(amd, [])
      .map(({ label }) => label)
      .slice(-2),
  ).toEqual(["nested TLB", "page walk cache"]);
});

test("their_names_are_those_of_the_field", () => {
  expect(
    [NESTED_TLB, EPT_PDE, EPT_PDPTE].map((at) => structureName(virtual, at)),
  ).toEqual(["nested TLB", "EPT PDE cache", "EPT PDPTE cache"]);
});

test("a_structure_that_one_walk_asks_several_times_shows_every_hit", () => {
  expect(eventIn(walk, virtual, NESTED_TLB, "load")).toMatchObject({
    what: "hit",
    set: 0,
    way: 0,
    others: [{ set: 0, way: 1 }],
    table: null,
  });
  // Both lookups of the structure hit one entry.
  expect(eventIn(walk, virtual, EPT_PDPTE, "load")).toMatchObject({
    what: "hit",
    way: 0,
    others: [],
  });
});

test("a_fill_of_a_larger_host_page_is_no_table_entry", () => {
  const fill = {
    structure: NESTED_TLB,
    set: 0,
    way: 3,
    key: "0x1",
    key_shift: 21,
    evicted: null,
  };
  const filled = { ...walk, nested: null, fills: [fill] };
  expect(eventIn(filled, virtual, NESTED_TLB, "load")).toMatchObject({
    what: "fill",
    way: 3,
    table: null,
  });
});

test("a_nested_tlb_inside_an_array_is_shown_as_a_part_of_it", () => {
  const inside = virtual.structures.findIndex(({ role }) => role === "l2");
  const structures = virtual.structures.map((view) =>
    view.role === "nested-tlb" ? { ...view, inside } : view,
  );
  const machine = { ...virtual, structures };
  const labels = tlbTabs(machine, []).map(({ label }) => label);
  expect(labels).not.toContain("nested TLB");
  // A page of the host is no page of the program, although it is as large as one.
  const fill = {
    structure: inside,
    set: 0,
    way: 3,
    key: "0x1",
    key_shift: walk.page_shift,
    guest_physical: true,
    evicted: null,
  };
  const filled = { ...walk, nested: null, fills: [fill], psc: [] };
  expect(eventIn(filled, machine, inside, "load")).toMatchObject({
    fill: null,
    table: { set: 0, way: 3 },
  });
});

test("the_array_that_the_access_used_is_a_tlb", () => {
  expect(usedArray(walk, virtual, "load")).toBe(2);
});

test("a_nested_tlb_is_two_rows_of_eight", () => {
  const view = virtual.structures[NESTED_TLB];
  if (!view) throw new Error("a nested TLB");
  expect(arrayLayout(view)).toMatchObject({ columns: 8, rows: 2 });
});
