import { expect, test } from "vitest";
import {
  accessAt,
  programAccess,
  shareOf,
  spanAt,
} from "../../../src/model/code/places";

test("an_access_is_found_again_by_its_share", () => {
  for (const n of [1, 2, 3, 7, 1000, 4_194_304, 19_999_999])
    for (const access of [0, 1, n >> 1, n - 2, n - 1])
      if (access >= 0 && access < n)
        expect(accessAt(shareOf(access, n), n)).toBe(access);
});

test.each([
  ["the end is the last access", accessAt(1, 10), 9],
  ["an empty program has no share", shareOf(0, 0), 0],
  ["a part", spanAt({ from: 0.25, to: 0.5 }, 1000), { from: 250, to: 500 }],
  ["at least 16", spanAt({ from: 0.5, to: 0.5 }, 1000), { from: 500, to: 516 }],
  ["inside the end", spanAt({ from: 1, to: 1 }, 1000), { from: 984, to: 1000 }],
  ["a short program", spanAt({ from: 0.5, to: 1 }, 8), { from: 0, to: 8 }],
])("%s", (_name, actual, expected) => expect(actual).toEqual(expected));

const ARRAYS = [
  { name: "a", start: 0x1000, length: 10, size: 8 },
  { name: "list", start: 0x2000, length: 2000, size: 64 },
];

test.each([
  ["load", "0x1000", "0x408000", "line 8 loads a[0]"],
  ["store", "0x104f", "0x401000", "line 1 stores a[9]"],
  ["load", "0x1050", "0x401000", "line 1 loads 0x1050"],
  ["load", "0x11400", null, "it loads list[976]"],
  ["load", "0x20fc0", "0x40c000", "line 12 loads list[1,983]"],
  // Addresses of code are not those of data.
  ["fetch", "0x1000", "0x408000", "line 8 fetches 0x1000"],
] as const)("%s %s at %s", (kind, address, ip, text) => {
  const access = { kind, address, ip, size: 8, pid: 0, tid: 0, cpu: 0 };
  expect(programAccess(access, ARRAYS)).toBe(text);
});
