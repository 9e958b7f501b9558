import { expect, test } from "vitest";
import type { HugeAdvice } from "../../../src/engine/generated/HugeAdvice";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import {
  pagesCsv,
  sensitivityCsv,
  surfaceCsv,
  walksLeftCsv,
  workingSetCsv,
} from "../../../src/model/whatif/tables";

const report = {
  walks: { walks: 20, refs: 31 },
  cycles: { total: 1000, walk: 640 },
  trace: { accesses: 400 },
  memory: { waste_bytes: 4096 },
} as RunReport;

test("tables_before_an_answer_have_a_head_only", () => {
  expect(surfaceCsv(undefined)).toBe("sets,ways,misses\n");
  expect(walksLeftCsv(undefined)).toBe(
    "huge pages,walks,miss cycles,more bytes\n",
  );
  expect(workingSetCsv(undefined)).toBe(
    "first access,accesses,mean pages,least,most,change\n",
  );
});

test("walks_left_are_a_row_per_number_of_huge_pages", () => {
  const advice = {
    points: [
      {
        huge_pages: 2,
        walks: 7,
        l2_miss_cycles: 20,
        walk_cycles: 70,
        extra_bytes: 8192,
      },
    ],
  } as HugeAdvice;
  expect(walksLeftCsv(advice)).toContain("\n2,7,90,8192\n");
});

test("a_run_that_is_not_known_leaves_its_cells_empty", () => {
  const own = { id: "now", name: "4K", about: "", os: { default: "4K" } };
  const choice = own as Parameters<typeof pagesCsv>[0][number]["choice"];
  expect(
    pagesCsv([
      { choice, report, change: "–" },
      { choice, report: undefined, change: "–" },
    ]),
  ).toBe(
    "policy,walks,references,cycles per access,wasted bytes\n4K,20,31,2.5,4096\n4K,,,,\n",
  );
  expect(sensitivityCsv([{ name: "memory half as fast", report }])).toBe(
    "change,references,walk cycles\nmemory half as fast,31,640\n",
  );
});
