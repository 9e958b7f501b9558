import { expect, test } from "vitest";
import { DEFAULT_ECPT } from "../../../src/engine/generated/researchDefaults";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import { withDefaults } from "../../../src/model/config/defaults";
import {
  sensitivityChoices,
  walkersText,
  windowOf,
  workingSetPicture,
} from "../../../src/model/whatif/overTime";

const os: OsConfig = { default: "4K", regions: [], frames: "sequential" };
const machine = withDefaults({ psc: { pde: { entries: 8 } } });

test("windows_are_round_and_leave_room_for_the_picture", () => {
  expect([50, 300_770, 10_000_000].map(windowOf)).toEqual([100, 2000, 50_000]);
  const interval = {
    first: 0,
    accesses: 10,
    mean: 4,
    least: 1,
    most: 8,
    pages: 8,
    change: 0,
  };
  const picture = workingSetPicture(
    {
      accesses: 20,
      window: 10,
      page_bytes: 4096,
      pages: 8,
      mean: 3,
      most: 8,
      intervals: [interval, { ...interval, first: 10, mean: 2 }],
      phases: [{ first: 0, accesses: 20, mean: 3, most: 8 }],
    },
    200,
    80,
  );
  expect(picture.area).toBe(
    "M0 80L0.0 40.0L100.0 40.0L100.0 60.0L200.0 60.0L200 80Z",
  );
  expect(picture.phases).toEqual([{ x: 0, width: 200 }]);
});

test("single_changes_leave_the_rest_as_it_is", () => {
  const choices = sensitivityChoices({ machine, os });
  const [none, twice] = choices;
  const nested = choices.at(-1);
  expect(none?.setup.machine.psc).toEqual({});
  expect(twice?.setup.machine.psc).toEqual({ pde: { entries: 16 } });
  expect(nested?.setup.os.virt).toBe("ept");
  const back = sensitivityChoices({ machine, os: { ...os, virt: "ept" } });
  expect(back.at(-1)?.setup.os).toEqual(os);
});

test("each_latency_of_the_walker_is_changed_by_itself", () => {
  const cache = (name: string, latency: number) => ({
    name,
    size: "32K",
    latency,
  });
  const walker = withDefaults({
    latency: { l2_hit: 7, walk_overhead: 4 },
    memory: {
      data: false,
      caches: [cache("L1", 4), cache("L2", 14)],
      dram: 200,
    },
  });
  const latencies = sensitivityChoices({ machine: walker, os }).slice(4, -1);
  const found = latencies.map(({ name, setup: { machine } }) => [
    name,
    ...machine.memory.caches.map(({ latency }) => latency),
    machine.memory.dram,
    machine.latency.walk_overhead,
  ]);
  expect(found).toEqual([
    ["L1 twice as slow, 8 cycles", 8, 14, 200, 4],
    ["L2 twice as slow, 28 cycles", 4, 28, 200, 4],
    ["DRAM twice as slow, 400 cycles", 4, 14, 400, 4],
    ["10 more cycles per walk", 4, 14, 200, 14],
  ]);
  const far = { ...walker, memory: { ...walker.memory, dram: 100_000 } };
  expect(
    sensitivityChoices({ machine: far, os }).map(
      ({ setup }) => setup.machine.memory.dram,
    ),
  ).not.toContain(200_000);
});

test.each([
  [1, undefined],
  [
    2,
    "Cycles of all walks are added. With 2 walkers, elapsed time may be half.",
  ],
])("of_%s_walkers_it_is_told_what_they_mean", (walkers, text) => {
  expect(walkersText({ ...machine, walkers })).toBe(text);
});

test("walk_caches_of_hashed_page_tables_are_left_out_and_doubled", () => {
  const ecpt = { ...DEFAULT_ECPT, pmd_cwc: 600, pud_cwc: 2 };
  const choices = sensitivityChoices({
    machine: { ...machine, psc: {}, ecpt },
    os,
  });
  const entries = choices.map(({ setup }) => setup.machine.ecpt);
  expect(entries.slice(0, 2)).toEqual([
    { ...ecpt, pmd_cwc: 0, pud_cwc: 0 },
    { ...ecpt, pmd_cwc: 1024, pud_cwc: 4 },
  ]);
  // No host is simulated with them.
  expect(choices.every(({ setup }) => setup.os === os)).toBe(true);
});
