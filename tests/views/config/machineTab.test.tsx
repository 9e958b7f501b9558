/** The fields of a machine that most machines leave out: a user sets them, and the form passes them on. */
import {
  cleanup,
  fireEvent,
  render,
  screen,
  within,
} from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { DEFAULT_ECPT } from "../../../src/engine/generated/researchDefaults";
import type { MachineConfig } from "../../../src/engine/generated/MachineConfig";
import { withDefaults } from "../../../src/model/config/defaults";
import { MachineTab } from "../../../src/views/config/MachineTab";

afterEach(cleanup);

const ARRAY = { name: "TLB", entries: 16, ways: 4 };

/** Shows the form of a machine, and returns what its last change gives. */
function shown(machine: Partial<MachineConfig>, sizes = ["4K"]) {
  const onMachine = vi.fn<(machine: MachineConfig) => Promise<never[]>>(() =>
    Promise.resolve([]),
  );
  render(
    <MachineTab
      machine={withDefaults({ l1: [ARRAY], ...machine })}
      model={undefined}
      sizes={sizes}
      onMachine={onMachine}
    />,
  );
  return () => onMachine.mock.lastCall?.[0];
}

function choose(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

function type(label: string, value: string) {
  choose(label, value);
  fireEvent.blur(screen.getByLabelText(label));
}

test("masks_begin_as_those_of_the_function_before_and_can_be_changed", () => {
  const last = shown({ l1: [{ ...ARRAY, index: "xor" }] });
  choose("Index of TLB", "xor-masks");
  expect(last()?.l1[0]?.index).toEqual({ "xor-masks": ["0x5", "0xa"] });
  type("Masks of TLB", "0x11, 0x22");
  expect(last()?.l1[0]?.index).toEqual({ "xor-masks": ["0x11", "0x22"] });
  choose("Index of TLB", "low-bits");
  expect(last()?.l1[0]?.index).toBe("low-bits");
  expect(screen.queryByLabelText("Masks of TLB")).toBeNull();
});

test("caps_are_set_and_removed", () => {
  const last = shown({});
  fireEvent.click(screen.getByLabelText("More of TLB"));
  type("Ways for data in TLB", "3");
  expect(last()?.l1[0]?.caps).toEqual({ data: 3 });
  type("Ways for data in TLB", "");
  expect(last()?.l1[0]).not.toHaveProperty("caps");
});

test("an_array_of_data_alone_has_no_caps", () => {
  shown({ l1: [{ ...ARRAY, serves: ["load", "store"] }] });
  fireEvent.click(screen.getByLabelText("More of TLB"));
  expect(screen.queryByLabelText("Ways for data in TLB")).toBeNull();
});

test("a_prefetcher_is_chosen_and_removed", () => {
  const last = shown({});
  choose("Prefetcher of TLB entries", "distance");
  type("Distances in a row of the table", "4");
  expect(last()?.tlb_prefetch).toEqual({ method: "distance", distances: 4 });
  choose("Prefetcher of TLB entries", "stride");
  expect(last()?.tlb_prefetch).toEqual({ method: "stride" });
  type("Entries of the prefetch buffer", "8");
  expect(last()?.tlb_prefetch?.buffer).toEqual({ entries: 8 });
  choose("Place of prefetched entries", "l2");
  expect(last()?.tlb_prefetch).toEqual({ method: "stride", into: "l2" });
  choose("Prefetcher of TLB entries", "none");
  expect(last()).not.toHaveProperty("tlb_prefetch");
});

test("a_pom_tlb_has_a_size", () => {
  const last = shown({});
  choose("POM-TLB", "pom");
  type("Size of the POM-TLB", "1m");
  type("Cycles of a read of the POM-TLB from DRAM", "90");
  expect(last()?.pom_tlb).toEqual({ size: "1M", dram: 90 });
  choose("POM-TLB", "none");
  expect(last()).not.toHaveProperty("pom_tlb");
});

test("tlb_blocks_have_a_threshold_and_a_replacement", () => {
  const last = shown({});
  choose("TLB blocks", "victima");
  type("Walks from which on a page is costly", "2");
  type("Reads from DRAM from which on a page is costly", "0");
  choose("Events that write a block", "evictions");
  choose("Replacement of the cache with TLB blocks", "tlb-aware");
  expect(last()?.victima).toEqual({
    min_walks: 2,
    min_dram_reads: 0,
    fills: "evictions",
    replacement: "tlb-aware",
  });
  choose("TLB blocks", "none");
  expect(last()).not.toHaveProperty("victima");
});

test("an_event_has_a_price_until_all_are_empty", () => {
  const last = shown({});
  type("Cycles of a minor page fault", "1050");
  type("Cycles of a VM exit", "1360");
  expect(last()?.event_costs).toEqual({
    minor_fault: 1050,
    major_fault: 0,
    vm_exit: 1360,
    shootdown: 0,
  });
  type("Cycles of a minor page fault", "");
  type("Cycles of a VM exit", "");
  expect(last()).not.toHaveProperty("event_costs");
});

test("a_nested_tlb_moves_into_level_2_with_the_sizes_that_it_holds", () => {
  const last = shown({ l2: [{ ...ARRAY, name: "STLB" }] }, ["4K", "2M", "1G"]);
  choose("Where nested TLB entries are stored", "own");
  expect(last()?.virt?.nested_tlb).toEqual({ entries: 16 });
  fireEvent.click(screen.getByLabelText(/also serves the data/));
  choose("Where nested TLB entries are stored", "STLB");
  expect(last()?.virt?.nested_tlb).toEqual({ in: "STLB", data: true });
  const sizes = screen.getByLabelText("Host page sizes of the nested TLB");
  fireEvent.click(within(sizes).getByLabelText("4K"));
  expect(last()?.virt?.nested_tlb).toEqual({
    in: "STLB",
    data: true,
    pages: ["2M", "1G"],
  });
  choose("Where nested TLB entries are stored", "none");
  expect(last()?.virt).not.toHaveProperty("nested_tlb");
});

test("hashed_page_tables_replace_the_paging_structure_caches", () => {
  const last = shown({ psc: { pde: { entries: 4 } } });
  choose("Page tables", "ecpt");
  type("Lines of a way", "64");
  expect(last()?.ecpt).toEqual({ ...DEFAULT_ECPT, entries: 64 });
  choose("End of a walk", "page");
  expect(last()?.ecpt?.early).toBe(true);
  expect(last()?.psc).toEqual({});
  choose("Page tables", "radix");
  expect(last()).not.toHaveProperty("ecpt");
});

test("an_array_without_ways_is_drawn_until_it_is_right", () => {
  shown({ l1: [{ ...ARRAY, ways: 0 }] });
  expect(screen.getByLabelText("Index of TLB")).toBeDefined();
});
