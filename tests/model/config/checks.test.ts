import { expect, test } from "vitest";
import { withDefaults } from "../../../src/model/config/defaults";
import type { Json } from "../../../src/model/shared/mergePatch";
import { checkMachine } from "../../../src/model/config/checks";
import { originOf } from "../../../src/views/config/origin";
import { nextEntries, nextWays } from "../../../src/views/config/shapes";

interface JsonObject {
  readonly [key: string]: Json;
}

const l1 = (array: JsonObject) => ({
  l1: [{ entries: 64, ways: 4, ...array }],
});

const cases: readonly [machine: JsonObject, field: string | undefined][] = [
  [{}, undefined],
  [l1({}), undefined],
  [l1({ entries: 1536, ways: 12, replacement: "mru3-plru4" }), undefined],
  [{ l1: [] }, "l1"],
  [l1({ entries: 0 }), "l1[0].entries"],
  [l1({ entries: 65_537, ways: 1 }), "l1[0].entries"],
  [l1({ ways: 0 }), "l1[0].ways"],
  [l1({ ways: 65 }), "l1[0].ways"],
  [l1({ ways: 5 }), "l1[0].ways"],
  [l1({ entries: 12, ways: 4 }), "l1[0].ways"],
  [
    l1({ entries: 12, ways: 12, replacement: "tree-plru" }),
    "l1[0].replacement",
  ],
  [l1({ replacement: "mru3-plru4" }), "l1[0].replacement"],
  [l1({ serves: [] }), "l1[0].serves"],
  [l1({ pages: [] }), "l1[0].pages"],
  [
    { l1: [{ name: "x", entries: 4 }], l2: [{ name: "x", entries: 4 }] },
    "l2[0].name",
  ],
  [{ psc: { pde: { entries: 32, ways: 5 } } }, "psc.pde.ways"],
  [{ psc: { pde: { in: "STLB" } } }, undefined],
  [{ virt: { nested_tlb: { entries: 16 } } }, undefined],
  [{ virt: { nested_tlb: { entries: 0 } } }, "virt.nested_tlb.entries"],
  [{ virt: { pwc: { entries: 24, ways: 5 } } }, "virt.pwc.ways"],
  [
    { virt: { ept_psc: { pde: { entries: 32, ways: 3 } } } },
    "virt.ept_psc.pde.ways",
  ],
  [{ latency: { l2_hit: 100_001 } }, "latency.l2_hit"],
  [
    { latency: { l2_hit: { fetch: 1, load: -1, store: 1 } } },
    "latency.l2_hit.load",
  ],
  [{ latency: { walk_overhead: 1.5 } }, "latency.walk_overhead"],
  [
    { memory: { caches: [{ name: "L1", size: "lots", latency: 4 }] } },
    "memory.caches[0].size",
  ],
  [{ memory: { dram: 1e6 } }, "memory.dram"],
];

test.each(cases)("%j_has_its_problem_at_%s", (machine, field) => {
  const problems = checkMachine(withDefaults(machine));
  expect(problems.map((problem) => problem.field)).toEqual(
    field === undefined ? [] : [field],
  );
});

test("a_field_without_a_source_of_its_own_has_that_of_its_row", () => {
  const provenance = ["l1[0]", "l1[0].index", "latency.l2_hit"].map((path) => ({
    path,
    confidence: "documented" as const,
    source: path,
  }));
  const source = (path: string) => originOf({ provenance }, path)?.source;
  expect(source("l1[0].entries")).toBe("l1[0]");
  expect(source("l1[0].index")).toBe("l1[0].index");
  expect(source("latency.l2_hit.load")).toBe("latency.l2_hit");
  expect(source("l1[1].entries")).toBeUndefined();
});

test("the_arrow_keys_give_shapes_that_are_possible", () => {
  expect(nextEntries(64, 1)).toBe(128);
  expect(nextEntries(3, -1)).toBe(3);
  expect(nextWays(64, 4, 1)).toBe(8);
  expect(nextWays(1536, 12, -1)).toBe(6);
  expect(nextWays(64, 64, 1)).toBe(64);
});
