import { expect, test } from "vitest";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import { DEFAULT_OS } from "../../../src/engine/generated/defaults";
import {
  baseId,
  cpuOf,
  headingOf,
  mappingOf,
  processors,
} from "../../../src/model/config/cpus";
import { withDefaults } from "../../../src/model/config/defaults";

const source = { confidence: "documented", source: "the manual" } as const;
const skylake: CpuModel = {
  id: "skylake",
  name: "Skylake",
  vendor: "Intel",
  machine: withDefaults({ name: "Skylake" }),
  provenance: [{ path: "l1[0].entries", ...source }],
  variants: [
    {
      id: "smt-on",
      kind: "smt",
      name: "Hyper-Threading on",
      note: "Two threads share the core.",
      machine: withDefaults({ name: "Skylake", walkers: 2 }),
      provenance: [{ path: "l1[0].entries", ...source, source: "measured" }],
    },
  ],
};

test("a_variant_is_a_model_with_its_machine_and_its_sources_first", () => {
  expect(cpuOf([skylake], "skylake")).toBe(skylake);
  const variant = cpuOf([skylake], "skylake:smt-on");
  expect(variant?.name).toBe("Skylake, Hyper-Threading on");
  expect(variant?.machine.walkers).toBe(2);
  expect(variant?.provenance.map(({ source }) => source)).toEqual([
    "measured",
    "the manual",
  ]);
  expect(baseId("skylake:smt-on")).toBe("skylake");
});

test("what_does_not_exist_is_no_model", () => {
  expect(cpuOf([skylake], "skylake:smt-off")).toBeUndefined();
  expect(cpuOf([skylake], "zen")).toBeUndefined();
});

test("a_group_is_the_heading_of_its_models", () => {
  expect(headingOf(skylake)).toBe("Intel");
  expect(headingOf({ ...skylake, group: "Small machines" })).toBe(
    "Small machines",
  );
});

test("a_model_begins_with_its_own_mapping_or_with_its_smallest_pages", () => {
  const os = { ...DEFAULT_OS, default: "64", given: {} };
  const paging = { offset_bits: 6, index_bits: [8] };
  const machine = { ...skylake.machine, paging };
  expect(mappingOf({ ...skylake, os }, machine)).toBe(os);
  expect(mappingOf(skylake, machine)).toEqual({ ...DEFAULT_OS, default: "64" });
  expect(mappingOf(undefined, skylake.machine)).toEqual(DEFAULT_OS);
});

test("a_small_machine_is_no_processor", () => {
  const small = { ...skylake, id: "toy", group: "Small machines" };
  expect(processors([small, skylake])).toEqual([skylake]);
});
