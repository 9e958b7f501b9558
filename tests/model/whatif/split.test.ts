import { expect, test } from "vitest";
import {
  savedWidth,
  splitCsv,
  splitParts,
  splitWidths,
} from "../../../src/model/whatif/split";

test("causes_add_up_to_what_was_counted_and_may_be_below_0", () => {
  const split = {
    accesses: 0,
    translations: 0,
    entries: 64,
    ways: 4,
    misses: 95,
    compulsory: 50,
    capacity: 50,
    conflict: -5,
    optimum: 70,
    reach_bytes: 1,
    footprint_bytes: 2,
  };
  const parts = splitParts(split, 90);
  expect(parts.map(({ misses }) => misses)).toEqual([50, 50, -5, -5]);
  expect(parts.reduce((sum, { misses }) => sum + misses, 0)).toBe(90);
  expect(splitWidths(parts)).toEqual([50, 50, 0, 0]);
  expect(savedWidth(parts)).toBe(10);
  expect(savedWidth(splitParts({ ...split, conflict: 0 }, 95))).toBe(0);
  expect(parts.map(({ text, than = "" }) => `${text} ${than}`.trim())).toEqual([
    "50",
    "50",
    "5 misses fewer than a fully associative LRU array of this size",
    "5 misses fewer than LRU with the low bits as index",
  ]);
});

test("causes_bounds_and_reach_are_in_a_file", () => {
  // Its other fields do not matter here.
  const split = {
    compulsory: 10,
    capacity: 20,
    conflict: -1,
    misses: 29,
    optimum: 15,
    reach_bytes: 4096,
    footprint_bytes: 40_960,
  } as unknown as Parameters<typeof splitCsv>[0];
  expect(splitCsv(split, 32).trim().split("\n")).toEqual([
    "what,number,unit,note",
    "compulsory,10,misses,",
    "capacity,20,misses,",
    "conflict,-1,misses,1 miss fewer than a fully associative LRU array of this size",
    '"policy, index, sharing",3,misses,',
    "all,32,misses,",
    "fewest possible,15,misses,",
    "ideal TLB,10,misses,",
    "reach,4096,bytes,",
    "footprint,40960,bytes,",
  ]);
});
