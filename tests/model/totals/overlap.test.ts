import { expect, test } from "vitest";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { cyclesInterval, overlapText } from "../../../src/model/totals/overlap";

const report = (accesses: number, total: number, overlapped?: number) =>
  ({
    trace: { accesses },
    cycles: { total, ...(overlapped !== undefined && { overlapped }) },
  }) as RunReport;

test("cycles_are_an_interval_if_the_run_has_the_bound", () => {
  expect(cyclesInterval(report(100, 103, 52))).toBe("0.52–1.03");
  expect(cyclesInterval(report(100, 103, 103))).toBe("1.03");
  expect(cyclesInterval(report(100, 103))).toBe("1.03");
  expect(cyclesInterval(report(0, 0, 0))).toBe("–");
});

test("a_result_without_the_bound_says_nothing_about_it", () => {
  expect(overlapText(report(1, 1))).toBeUndefined();
  expect(overlapText(report(1, 1000, 500))).toMatch(
    /^at least 500, if translations overlap$/,
  );
});
