import { expect, test } from "vitest";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import {
  hostPages,
  mappingText,
  withHostPages,
  withVirt,
} from "../../../src/model/config/mapping";
import { wordsOf } from "../../../src/model/words/words";

const plain: OsConfig = { default: "4K", regions: [], frames: "sequential" };
const host: OsConfig = { ...plain, default: "2M" };
const region = { start: "0x0", end: "0x200000", pages: "2M" };

const cases: readonly [os: OsConfig, text: string][] = [
  [plain, "native"],
  [{ ...plain, virt: "native" }, "native"],
  [{ ...plain, virt: "ept" }, "EPT 4K"],
  [{ ...plain, virt: "ept", host }, "EPT 2M"],
  [{ ...plain, virt: "ept", host: { ...host, default: "thp" } }, "EPT THP"],
  [{ ...plain, virt: "shadow" }, "shadow"],
  [{ ...plain, virt: "shadow", host }, "shadow 2M"],
  [
    { ...plain, virt: "ept", host: { ...host, regions: [region] } },
    "EPT, by region",
  ],
];

test.each(cases)("%j_reads_%s", (os, text) => {
  expect(mappingText(os, wordsOf({ tables: "x86" }))).toBe(text);
});

test("arm_maps_memory_in_two_stages", () => {
  const words = wordsOf({ tables: "arm" });
  expect(mappingText({ ...plain, virt: "ept", host }, words)).toBe(
    "two-stage 2M",
  );
});

test("native_memory_has_no_host", () => {
  const os = withHostPages(withVirt(plain, "ept"), "2M");
  expect(os).toEqual({ ...plain, virt: "ept", host });
  expect(withVirt(os, "shadow")).toEqual({ ...plain, virt: "shadow", host });
  expect(withVirt(os, "native")).toEqual(plain);
  expect(withHostPages(os, undefined)).toEqual({ ...plain, virt: "ept" });
});

test("host_pages_are_known_where_they_are_one_size", () => {
  expect(hostPages(plain)).toBeUndefined();
  expect(hostPages({ ...plain, host })).toBe("2M");
  expect(
    hostPages({ ...plain, host: { ...host, regions: [region] } }),
  ).toBeNull();
});
