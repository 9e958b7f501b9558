import { expect, test } from "vitest";
import { withDefaults } from "../../../src/model/config/defaults";
import {
  adviceLayout,
  advisedSize,
  advisingCode,
  largerSizes,
  rangesCsv,
} from "../../../src/model/whatif/advice";
import { rangeText, withHuge } from "../../../src/model/whatif/pages";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";

const os: OsConfig = { default: "4K", regions: [], frames: "sequential" };
const machine = withDefaults({ psc: { pde: { entries: 8 } } });

test("ranges_one_after_another_are_one_call", () => {
  const starts = ["0x600000", "0x400000", "0x7f0000000000"];
  expect(advisingCode(starts, "2M", machine)).toBe(
    "madvise((void *)0x400000, 4 << 20, MADV_HUGEPAGE);\n" +
      "madvise((void *)0x7f0000000000, 2 << 20, MADV_HUGEPAGE);",
  );
  expect(withHuge(os, "4K", "2M", ["0x600000", "0x400000"]).regions).toEqual([
    { start: "0x400000", end: "0x600000", pages: "2M" },
    { start: "0x600000", end: "0x800000", pages: "2M" },
  ]);
  expect(rangeText("0x7f3a1b800000", "0x7f3a1cb28000")).toBe(
    "7f3a1b800000–…cb28000",
  );
  expect(rangeText("0x1000", "0x3000")).toBe("1000–3000");
  expect(rangeText("0xf000", "0x10000")).toBe("f000–10000");
});

/** Arm with pages of 16K: 2M and 1G are runs of entries. */
const arm = withDefaults({
  paging: {
    offset_bits: 14,
    index_bits: [1, 11, 11, 11],
    leaf_levels: [1, 2],
    contiguous: { "16K": 128, "32M": 32 },
  },
});

test("every_larger_page_of_the_machine_can_be_advised_and_thp_s_is_the_first", () => {
  const sizes = largerSizes(["1G", "16K", "32M", "2M"], "16K");
  expect(sizes).toEqual(["2M", "32M", "1G"]);
  expect(advisedSize(sizes, arm, undefined)).toBe("32M");
  expect(advisedSize(sizes, arm, "2M")).toBe("2M");
  expect(advisedSize(sizes, arm, "64K")).toBe("32M");
  expect(largerSizes(["4K", "2M", "1G"], "2M")).toEqual(["1G"]);
  expect(advisedSize(["1G"], machine, undefined)).toBe("1G");
  expect(advisedSize([], machine, "2M")).toBeUndefined();
});

test("smaller_and_larger_pages_than_those_of_thp_are_got_in_other_ways", () => {
  expect(advisingCode(["0x200000", "0x210000"], "64K", machine)).toBe(
    "// echo madvise > /sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled\n" +
      "madvise((void *)0x200000, 128 << 10, MADV_HUGEPAGE);",
  );
  expect(advisingCode(["0x40000000"], "1G", machine)).toBe(
    "mmap((void *)0x40000000, 1UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB | 30 << MAP_HUGE_SHIFT, -1, 0);",
  );
});

test("walks_left_stand_over_a_true_axis", () => {
  const points = [0, 1, 2, 3, 6, 10].map((n) => ({
    huge_pages: n,
    walks: 100 - 10 * n,
    l2_miss_cycles: 0,
    walk_cycles: 0,
    l2_cycles: 0,
    extra_bytes: 0,
  }));
  const { dots, ticks } = adviceLayout(points, { width: 176, height: 118 });
  const [first, second, third, fourth, fifth, last] = dots.map(({ x }) => x);
  expect([first, second, third, fourth, fifth, last]).toEqual([
    62, 72, 82, 92, 122, 162,
  ]);
  expect(dots.map(({ y }) => Math.round(y))).toEqual([10, 17, 25, 32, 54, 84]);
  // There is no space for labels of the points between 0 and 3.
  expect(ticks.map(({ n }) => n)).toEqual([0, 3, 6, 10]);
});

test("regions_that_should_be_huge_are_in_a_file", () => {
  const row = {
    name: "heap",
    start: "0x200000",
    end: "0x600000",
    starts: ["0x200000", "0x400000"],
    cycles: 90,
    wasted: 4096,
  };
  const saved = { walks: 7, cycles: 70 };
  expect(
    rangesCsv([{ ...row, saved }, row])
      .trim()
      .split("\n")
      .slice(1),
  ).toEqual([
    "heap,0x200000,0x600000,7,70,2,4096,0x200000 0x400000",
    "heap,0x200000,0x600000,,,2,4096,0x200000 0x400000",
  ]);
});
