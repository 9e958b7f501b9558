import { expect, test } from "vitest";
import {
  ALL,
  UNKNOWN,
  callFilter,
  callFrames,
  callPath,
  callsCsv,
  findCalls,
} from "../../../src/model/attribution/calls";
import { VIEW } from "./callsData";

const drawn = (focus: number) =>
  callFrames(VIEW, "walks", focus).map(
    ({ at, depth, from, to }) =>
      `${at} ${depth} ${from.toFixed(2)} ${to.toFixed(2)}`,
  );

test("a_function_is_below_its_caller_and_as_wide_as_its_share", () => {
  expect(drawn(ALL)).toEqual([
    `${ALL} 0 0.00 1.00`,
    "0 1 0.00 0.80",
    "1 2 0.00 0.60",
    "2 3 0.00 0.40",
    "3 3 0.40 0.60",
    "4 2 0.60 0.70",
    `${UNKNOWN} 1 0.80 0.95`,
  ]);
  // No cycles were counted, so nothing has a width.
  expect(callFrames(VIEW, "walk_cycles", ALL)).toHaveLength(1);
});

test("the_chosen_function_and_its_callers_have_the_whole_width", () => {
  expect(drawn(1)).toEqual([
    `${ALL} 0 0.00 1.00`,
    "0 1 0.00 1.00",
    "1 2 0.00 1.00",
    "2 3 0.00 0.67",
    "3 3 0.67 1.00",
  ]);
  const above = callFrames(VIEW, "walks", 1).filter(({ isAbove }) => isAbove);
  expect(above.map(({ name }) => name)).toEqual(["all", "main"]);
});

test("the_colour_is_that_of_the_own_part", () => {
  const heat = callFrames(VIEW, "walks", ALL).map(({ heat }) => heat);
  expect(heat).toEqual([0, 3, 0, 4, 4, 3, 3]);
});

test("a_search_counts_calls_inside_others_once", () => {
  expect(findCalls(VIEW, "walks", "JOIN")).toEqual({
    found: new Set([1, 3]),
    count: 60,
    of: 100,
  });
  expect(findCalls(VIEW, "walks", " ").found.size).toBe(0);
});

test("a_path_is_a_filter_and_a_row_of_a_table", () => {
  expect(callPath(VIEW.calls, 3)).toEqual(["main", "join", "join"]);
  expect(callFilter(VIEW.calls, 1)).toMatchObject({
    by: "calls",
    label: "join",
    path: ["main", "join"],
  });
  const lines = callsCsv(VIEW).trim().split("\n");
  expect(lines.map((line) => line.split(",").slice(0, 4).join())).toEqual([
    "path,accesses,l1_misses,walks",
    "main,100,0,10",
    "main;join,0,0,0",
    "main;join;probe(int: int),400,0,40",
    "main;join;join,200,0,20",
    "main;sort,100,0,10",
    "2 others,50,0,5",
    "unknown,150,0,15",
  ]);
});
