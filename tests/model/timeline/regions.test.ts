import { expect, test } from "vitest";
import type { RegionView } from "../../../src/engine/generated/RegionView";
import {
  regionKnown,
  regionKnownSentence,
  regionName,
  shortStart,
} from "../../../src/model/timeline/regions";

function region(name: string, start: string): RegionView {
  return {
    name,
    kind: "anonymous",
    start,
    end: start,
    pages: 1,
    recorded: 0,
    accesses: 1,
    first_row: 0,
    rows: 1,
  };
}

test.each([
  [["0x4801000", "0x5a00000"], "0x48…"],
  [["0x4801000", "0x48a2000"], "0x480…"],
  [["0x7f3a1c000000", "0x7f3a1d000000"], "…1c00…"],
  [["0x400", "0x4801000"], "0x400"],
])(
  "namesakes_are_told_apart_by_their_start",
  ([own = "", other = ""], text) => {
    const regions = [region("libraries", own), region("libraries", other)];
    const [first] = regions;
    expect(first && shortStart(first, regions)).toBe(text);
    expect(first && regionName(first, regions)).toBe(`libraries at ${own}`);
  },
);

test("a_name_of_its_own_needs_no_address", () => {
  const stack = region("stack", "0x7ffc00000000");
  const regions = [stack, region("heap", "0x1000")];
  expect(shortStart(stack, regions)).toBeNull();
  expect(regionName(stack, regions)).toBe("stack");
});

test.each([
  [0, "inferred", "Inferred: "],
  [9, "recorded", "From the trace’s memory map records"],
  [4, "partly recorded", "The trace’s memory map records (mmap) contain 4"],
] as const)(
  "a_region_with_%i_of_9_pages_recorded_is_%s",
  (recorded, known, start) => {
    const one = { recorded, pages: 9 };
    expect(regionKnown(one)).toBe(known);
    expect(regionKnownSentence(one)).toContain(start);
  },
);
