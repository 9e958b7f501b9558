import { expect, test } from "vitest";
import { recordCounter } from "../../../src/model/code/records";

/** Three blocks: a load and a store; a copy; an atomic operation and a call of malloc. */
const count = recordCounter({
  sites: [
    ["load", 8, 0, 1],
    ["store", 8, 0, 2],
    ["copy", 0, 0, 3],
    ["modify", 4, 0, 4],
    ["malloc", 0, 0, 5],
  ],
  blocks: [0, 2, 3, 5],
});

const CASES: readonly [
  name: string,
  records: readonly number[],
  accesses: number | undefined,
][] = [
  ["nothing", [], 0],
  ["a block of two accesses, twice", [0, 64, 72, 0, 80, 88], 4],
  [
    "a copy of 130 bytes is read and written in three pieces",
    [1, 0, 512, 130],
    6,
  ],
  [
    "an atomic operation reads and writes, an allocation does neither",
    [2, 64, 24],
    2,
  ],
  ["an unknown block is refused", [3, 1], undefined],
  ["a record that is cut off is refused", [0, 64], undefined],
];

test.each(CASES)("%s", (_name, records, accesses) => {
  expect(count(Uint32Array.from(records))).toBe(accesses);
});
