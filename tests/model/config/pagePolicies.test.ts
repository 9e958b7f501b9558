import { expect, test } from "vitest";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import {
  hugePage,
  pagesText,
  policiesOf,
  policyMeaning,
  policyWord,
  usesFamily,
  withHugetext,
  withoutIdle,
  withPolicy,
  withThp,
} from "../../../src/model/config/pagePolicies";

const plain: OsConfig = { default: "4K", regions: [], frames: "sequential" };
const region = { start: "0x0", end: "0x200000", pages: "hugetlb-2M" };
const thp = {
  enabled: "always",
  at_fault: true,
  fragmentation: 0,
  seed: 1,
} as const;

const geometry = (offset: number, index: number[], leaves?: number[]) => ({
  paging: {
    offset_bits: offset,
    index_bits: index,
    ...(leaves && { leaf_levels: leaves }),
  },
});

test("policies_are_called_as_people_call_them", () => {
  const words = ["4K", "thp", "hugetlb-1G", "hugetext"].map(policyWord);
  expect(words).toEqual(["4K", "THP", "hugetlbfs 1G", "hugetext"]);
});

test("a_machine_offers_what_its_table_can_map", () => {
  expect(policiesOf(["4K", "2M", "1G"], "2M")).toEqual([
    "4K",
    "2M",
    "1G",
    "thp",
    "hugetlb-2M",
    "hugetlb-1G",
    "hugetext",
  ]);
  expect(policiesOf(["64"], null)).toEqual(["64"]);
});

test("the_huge_page_is_what_the_second_lowest_table_maps", () => {
  expect(hugePage({})).toBe("2M");
  expect(hugePage(geometry(14, [1, 11, 11, 11]))).toBe("32M");
  expect(hugePage(geometry(16, [6, 13, 13]))).toBe("512M");
  expect(hugePage(geometry(6, [4, 4], [1]))).toBeNull();
  expect(hugePage(geometry(6, [4]))).toBeNull();
});

test("a_policy_is_told_in_a_sentence_with_its_sizes", () => {
  const sizes = ["16K", "32M"];
  const found = ["16K", "32M", "thp", "hugetlb-32M", "hugetext"].map((policy) =>
    policyMeaning(policy, sizes, "32M"),
  );
  expect(found).toEqual([
    "A first touch maps one page of 16K.",
    "A first touch maps one page of 32M, or of the next smaller size if it does not fit the region.",
    "Transparent huge pages: anonymous memory gets whole pages of 32M, at a fault or later; everything else 16K.",
    "Only pages of 32M, from a pool: a touch that finds the pool empty is a bus error.",
    "Code gets pages of 32M, everything else 16K.",
  ]);
});

test("a_family_is_used_by_default_or_by_a_region", () => {
  expect(usesFamily({ ...plain, default: "thp" }, "thp")).toBe(true);
  expect(usesFamily({ ...plain, regions: [region] }, "hugetlb")).toBe(true);
  expect(usesFamily(plain, "hugetlb")).toBe(false);
});

test("settings_that_say_nothing_are_left_out", () => {
  expect(withThp({ ...plain, thp }, { ...thp })).toEqual(plain);
  expect(withThp(plain, { ...thp, fragmentation: 5 }).thp?.fragmentation).toBe(
    5,
  );
  expect(withHugetext(plain, { enabled: 3, pad_threshold: 0 })).toEqual(plain);
});

test("settings_of_a_policy_that_nothing_has_any_more_go", () => {
  const pools = ["2M", "1G"].map((size) => ({ size, pages: 8 }));
  const settings = {
    thp: { ...thp, fragmentation: 5 },
    hugetext: { enabled: 2, pad_threshold: 0 },
    hugetlb: pools,
  };
  expect(withoutIdle({ ...plain, ...settings })).toEqual(plain);
  const kept = (policy: string) =>
    Object.keys(withoutIdle({ ...plain, ...settings, default: policy })).filter(
      (key) => key in settings,
    );
  expect(kept("thp")).toEqual(["thp"]);
  expect(kept("hugetext")).toEqual(["hugetext"]);
  expect(
    withoutIdle({ ...plain, hugetlb: pools, default: "hugetlb-2M" }).hugetlb,
  ).toEqual(pools.slice(0, 1));
  expect(
    withoutIdle({ ...plain, hugetlb: pools, default: "hugetlb-1G" }).hugetlb,
  ).toEqual(pools);
  // Huge pages of the region come from the pool, too.
  const regions = [{ ...region, pages: "hugetlb-2M" }];
  expect(withoutIdle({ ...plain, hugetlb: pools, regions }).hugetlb).toEqual(
    pools.slice(0, 1),
  );
});

test("thp_for_all_memory_makes_huge_pages", () => {
  const os = { ...plain, regions: [region], thp: { ...thp, enabled: "never" } };
  expect(withPolicy(os as OsConfig, "thp")).toEqual({
    ...plain,
    default: "thp",
  });
  expect(pagesText(withPolicy(os as OsConfig, "thp"))).toBe("THP");
  expect(pagesText(os as OsConfig)).toBe("by region");
});

test.each([
  ["4K", true],
  ["2M", false],
  ["thp", false],
])("given_pages_of_4K_under_%s_stay: %s", (policy, stay) => {
  const os = { ...plain, given: { pages: [{ page: "0x1" }] } };
  expect(withPolicy(os, policy).given !== undefined).toBe(stay);
});
