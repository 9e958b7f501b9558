/** Walk caches off and on: what changes in a machine, and what is restored. */
import { expect, test } from "vitest";
import { DEFAULT_ECPT } from "../../../src/engine/generated/researchDefaults";
import type { MachineConfig } from "../../../src/engine/generated/MachineConfig";
import {
  hasWalkCaches,
  missingWalkCaches,
  walkCachesBefore,
  withWalkCaches,
  withoutWalkCaches,
} from "../../../src/model/config/walkCaches";
import { withDefaults } from "../../../src/model/config/defaults";

const intel: MachineConfig = {
  ...withDefaults({ name: "intel" }),
  psc: { pde: { entries: 32 } },
  virt: {
    levels: 4,
    vpid: true,
    nested_tlb: { entries: 16 },
    ept_psc: { pde: { entries: 32 } },
  },
};
const amd: MachineConfig = {
  ...withDefaults({ name: "amd" }),
  virt: { style: "pwc-2d", pwc: { entries: 64 } },
};
const plain = withDefaults({ name: "plain" });

test.each([
  ["all walk caches go, the rest stays", intel, { levels: 4, vpid: true }],
  ["the style of a page walk cache stays", amd, { style: "pwc-2d" }],
  ["a machine without virtualization gets none", plain, undefined],
])("%s", (_, machine, virt) => {
  const cold = withoutWalkCaches(machine);
  expect(hasWalkCaches(cold)).toBe(false);
  const { virt: left, ...rest } = cold;
  const { virt: before, ...same } = machine;
  expect(before === undefined).toBe(left === undefined);
  expect(left).toEqual(virt);
  expect(rest).toEqual({ ...same, psc: {} });
});

test("a_model_without_sources_for_walk_caches_says_so_until_the_machine_has_some", () => {
  const model = { no_walk_caches: "No source describes them" };
  expect(missingWalkCaches(plain, model)).toBe("No source describes them");
  expect(missingWalkCaches(intel, model)).toBeUndefined();
  expect(missingWalkCaches(withoutWalkCaches(intel), {})).toBeUndefined();
  expect(missingWalkCaches(plain, undefined)).toBeUndefined();
});

test("on_restores_what_off_took", () => {
  for (const machine of [intel, amd])
    expect(withWalkCaches(withoutWalkCaches(machine), machine)).toEqual(
      machine,
    );
});

test("the_last_caches_of_this_cpu_come_back_otherwise_those_of_the_model", () => {
  const edited = { ...intel, psc: { pde: { entries: 64 } } };
  const past = [
    { cpu: "a", setup: { machine: edited } },
    { cpu: "b", setup: { machine: amd } },
    { cpu: "a", setup: { machine: withoutWalkCaches(edited) } },
  ];
  expect(walkCachesBefore(past, "a", intel, plain)?.psc).toEqual(edited.psc);
  expect(walkCachesBefore([], "a", intel, plain)?.psc).toEqual(intel.psc);
  expect(walkCachesBefore([], "a", plain, plain)).toBeUndefined();
});

test("hashed_page_tables_lose_and_get_back_their_own_walk_caches", () => {
  const hashed: MachineConfig = { ...plain, ecpt: DEFAULT_ECPT };
  const cold = withoutWalkCaches(hashed);
  expect(hasWalkCaches(hashed)).toBe(true);
  expect(hasWalkCaches(cold)).toBe(false);
  expect(cold.ecpt).toEqual({ ...DEFAULT_ECPT, pmd_cwc: 0, pud_cwc: 0 });
  const past = [hashed, intel].map((machine) => ({
    cpu: "a",
    setup: { machine },
  }));
  const before = walkCachesBefore(past, "a", intel, cold);
  expect(before && withWalkCaches(cold, before)).toEqual(hashed);
  // Radix trees and hashed tables have walk caches of different kinds. Neither kind is restored for the other.
  expect(walkCachesBefore([], "a", intel, cold)).toBeUndefined();
  expect(walkCachesBefore(past.slice(0, 1), "a", plain, plain)).toBeUndefined();
});
