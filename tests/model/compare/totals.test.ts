import { expect, test } from "vitest";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import {
  numberText,
  structureRows,
  totalRows,
  totalsOf,
} from "../../../src/model/compare/totals";
import { skylake } from "../../pictures/fixtures";

const kind = (translations: number, l1_hits: number, walks: number) => ({
  translations,
  l1_hits,
  walks,
});

/** Each number occurs once, so that no other one can take its place. */
function report(host_refs = 0): RunReport {
  const counts = {
    trace: { accesses: 1000, translations: 1003 },
    kinds: {
      fetch: kind(500, 450, 7),
      load: kind(300, 280, 11),
      store: kind(203, 199, 2),
      prefetch: kind(90, 10, 60),
    },
    walks: { walks: 80, refs: 200, host_refs },
    cycles: { total: 4321 },
    faults: { minor: 5, major: 3, bus_errors: 0 },
    exceptions: {
      general_protection: 0,
      page_faults: {},
      ept_misconfigurations: 0,
    },
  };
  // Only these fields are added up, so the cast is safe.
  return counts as unknown as RunReport;
}

test("totals_leave_out_prefetches_and_have_both_kinds_of_faults", () => {
  expect(totalsOf(report())).toEqual({
    accesses: 1000,
    l1Misses: 50 + 20 + 4,
    l2Misses: 7 + 11 + 2,
    walks: 80,
    refs: 200,
    cycles: 4321,
    faults: 5 + 3,
  });
});

test("rows_compare_the_same_counts_on_both_sides", () => {
  const other = report(30);
  const rows = totalRows(report(), {
    ...other,
    walks: { ...other.walks, walks: 0 },
  });
  expect(rows.map(({ what, left, right }) => [what, left, right])).toEqual([
    ["accesses", 1000, 1000],
    ["translations", 1003, 1003],
    ["L1 misses", 74, 74],
    ["L2 TLB misses", 20, 20],
    ["walks", 80, 0],
    ["references", 200, 200],
    ["of these, to host tables", 0, 30],
    ["references per walk", 2.5, undefined],
    ["translation cycles", 4321, 4321],
    ["cycles per access", 4.321, 4.321],
    ["page faults served by the OS", 8, 8],
  ]);
});

test("exceptions_have_a_row_if_either_side_has_some", () => {
  const one = report();
  const two = {
    ...one,
    exceptions: { ...one.exceptions, page_faults: { "0x4": 3 } },
  };
  const last = totalRows(one, two).slice(-2);
  expect(last.map(({ what, left, right }) => [what, left, right])).toEqual([
    ["page faults served by the OS", 8, 8],
    ["exceptions", 0, 3],
  ]);
  expect(totalRows(one, one).at(-1)?.what).not.toBe("exceptions");
});

test("an_array_does_not_miss_pages_that_it_cannot_hold", () => {
  const run = (hits: number, misses: number) => {
    const array = { lookups: 100, hits, misses };
    return { structures: [array] } as unknown as RunReport;
  };
  const [row] = structureRows([skylake, skylake], [run(0, 0), run(16, 84)]);
  expect(
    row && [numberText(row.left, row), numberText(row.right, row)],
  ).toEqual(["–", "84"]);
});
