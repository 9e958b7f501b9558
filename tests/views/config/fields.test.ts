import { expect, test } from "vitest";
import { originOf } from "../../../src/views/config/origin";
import { nextEntries, nextWays } from "../../../src/views/config/shapes";

test("a_field_without_a_source_of_its_own_has_that_of_its_row", () => {
  const provenance = ["l1[0]", "l1[0].index", "latency.l2_hit"].map((path) => ({
    path,
    confidence: "documented" as const,
    source: path,
  }));
  const source = (path: string) => originOf({ provenance }, path)?.source;
  expect(source("l1[0].entries")).toBe("l1[0]");
  expect(source("l1[0].index")).toBe("l1[0].index");
  expect(source("latency.l2_hit.load")).toBe("latency.l2_hit");
  expect(source("l1[1].entries")).toBeUndefined();
});

test("the_arrow_keys_give_shapes_that_are_possible", () => {
  expect(nextEntries(64, 1)).toBe(128);
  expect(nextEntries(3, -1)).toBe(3);
  expect(nextWays(64, 4, 1)).toBe(8);
  expect(nextWays(1536, 12, -1)).toBe(6);
  expect(nextWays(64, 64, 1)).toBe(64);
});
