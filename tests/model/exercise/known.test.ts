/** What a student sees besides the picture: the lines of the trace, and the pages that are mapped. */
import { expect, test } from "vitest";
import type { Ask } from "../../../src/engine/generated/Ask";
import { DEFAULT_OS } from "../../../src/engine/generated/defaults";
import {
  lastUses,
  mappedFirst,
  MOST_KNOWN,
  nearest,
  needsOf,
  tableBefore,
  traceLines,
} from "../../../src/model/exercise/known";
import type { KnownPages } from "../../../src/model/exercise/known";

const used = (csv: string, at: number) =>
  [...lastUses(traceLines(csv), at, 12)].map(
    ([page, index]) => `${page.toString(16)}@${index}`,
  );

test.each<[string, string, number, string]>([
  [
    "the_last_use",
    "load,0x1000,8,1\nload,0x2000,8,1\nload,0x1008,8,1",
    2,
    "1@0 2@1",
  ],
  ["both_pages", "load,0x1ffc,8,1\nload,0x5000,8,1", 1, "1@0 2@0"],
  [
    "one_process",
    "load,0x1000,8,1\nload,0x2000,8,2\nload,0x3000,8,2",
    2,
    "2@1",
  ],
  [
    "munmap",
    "load,0x1000,8,1\nload,0x3000,8,1\nmunmap,0x1000,8192,\nload,0x4000,8,1",
    2,
    "3@1",
  ],
  ["a_flush", "load,0x1000,8,1\ninvlpg,0x1000,,\nload,0x4000,8,1", 1, "1@0"],
])("the_uses_before_an_access_know_%s", (_, rows, at, expected) => {
  const found = used(`kind,address,size,pid\n${rows}`, at);
  expect(found.join(" ")).toBe(expected);
});

const pages = (...rows: readonly [bigint, number, string, number?][]) =>
  rows.map(([page, count, size, usedAt]): KnownPages => ({
    page,
    count,
    size,
    ...(usedAt !== undefined && { usedAt }),
  }));

test("a_later_use_of_the_same_memory_replaces_its_page", () => {
  const table = tableBefore([], pages([512n, 1, "4K", 3], [1n, 1, "2M", 7]));
  expect(table).toEqual(pages([1n, 1, "2M", 7]));
});

test("the_pages_that_are_mapped_first_have_one_row_each", () => {
  const os = {
    ...DEFAULT_OS,
    given: {
      pages: [
        { page: "0x3", frame: "0x9" },
        { page: "0x4", valid: false },
      ],
    },
    regions: [
      { start: "0x8000", end: "0xa000", pages: "4K", pretouch: true },
      { start: "0xb000", end: "0xc000", pages: "4K" },
    ],
  };
  const first = mappedFirst(os, "4K");
  expect(first).toEqual([
    { page: 3n, count: 1, size: "4K", frame: 9n },
    { page: 8n, count: 2, size: "4K" },
  ]);
  expect(tableBefore(first, pages([9n, 1, "4K", 0], [1n, 1, "4K", 1]))).toEqual(
    [{ page: 1n, count: 1, size: "4K", usedAt: 1 }, ...first],
  );
});

test("many_pages_are_those_near_the_page_of_the_access", () => {
  const all = Array.from({ length: 200 }, (_, at) => BigInt(at));
  const near = nearest(all, 100n);
  expect(near).toHaveLength(MOST_KNOWN);
  expect(near[0]).toBe(100n);
  expect(near.every((page) => page > 60n && page < 140n)).toBe(true);
});

test.each<[Ask, string]>([
  [{ kind: "outcome" }, "pages arrays"],
  [{ kind: "references" }, "pages arrays"],
  [{ kind: "number", of: "walks" }, "accesses arrays"],
  [{ kind: "victim", of: "TLB" }, "accesses policy"],
  [{ kind: "field", of: "offset" }, ""],
])("the_question_%j_needs_%s", (ask, expected) => {
  const needs = Object.entries(needsOf(ask, undefined))
    .filter(([, is]) => is)
    .map(([name]) => name);
  expect(needs.join(" ")).toBe(expected);
});
