import { expect, test } from "vitest";
import {
  countedText,
  plainWindow,
  moveEdge,
  runSpan,
  simulatedAt,
  windowLines,
  windowOf,
  windowProblem,
} from "../../../src/model/shared/runWindow";

const N = 1000;

test.each([
  [undefined, [0, 1000], [0, 1000]],
  [{ skip: 100, warmup: 0 }, [100, 1000], [100, 1000]],
  [{ skip: 100, warmup: 50, limit: 200 }, [100, 350], [150, 350]],
  [{ skip: 0, warmup: 900, limit: 500 }, [0, 1000], [900, 1000]],
])("the_window_%j_simulates_%j_and_counts_%j", (window, simulated, counted) => {
  const span = runSpan(window, N);
  expect([span.simulated.from, span.simulated.to]).toEqual(simulated);
  expect([span.counted.from, span.counted.to]).toEqual(counted);
});

test("what_lies_before_a_brush_warms_up", () => {
  expect(windowOf({ from: 200, to: 300 }, N, undefined)).toEqual({
    skip: 0,
    warmup: 200,
    limit: 100,
  });
  expect(windowOf({ from: 200, to: N }, N, undefined)).toEqual({
    skip: 0,
    warmup: 200,
  });
  expect(windowOf({ from: 0, to: N }, N, undefined)).toBeUndefined();
});

test("what_is_skipped_stays_skipped", () => {
  const before = { skip: 150, warmup: 10, limit: 5 };
  expect(windowOf({ from: 200, to: 300 }, N, before)).toEqual({
    skip: 150,
    warmup: 50,
    limit: 100,
  });
  expect(windowOf({ from: 100, to: 300 }, N, before)).toEqual({
    skip: 100,
    warmup: 0,
    limit: 200,
  });
});

test("accesses_outside_move_to_the_nearest_inside", () => {
  const span = runSpan({ skip: 100, warmup: 50, limit: 200 }, N);
  expect(
    [0, 99, 100, 349, 350, 999].map((at) => simulatedAt(span, at)),
  ).toEqual([100, 100, 100, 349, 349, 349]);
});

test.each([
  [{ skip: 1000, warmup: 0 }, "skip"],
  [{ skip: 10, warmup: 990 }, "warmup"],
  [{ skip: 10, warmup: 0, limit: 0 }, "limit"],
] as const)("%j_counts_nothing_because_of_%s", (window, field) => {
  expect(windowProblem(window, N)?.field).toBe(field);
});

test("a_window_that_counts_something_is_fine", () => {
  expect(windowProblem({ skip: 10, warmup: 989, limit: 1 }, N)).toBeNull();
});

test("words", () => {
  const window = { skip: 100, warmup: 50, limit: 200 };
  expect(countedText(window, N)).toBe("200 of 1,000 counted");
  expect(windowLines(window, N)).toEqual([
    "100 accesses skipped: not simulated",
    "50 accesses to warm up: simulated, not counted",
    "200 accesses counted",
    "650 accesses after that: not simulated",
  ]);
  expect(plainWindow({ skip: 0, warmup: 0 })).toBeUndefined();
  expect(plainWindow({ skip: 0, warmup: 1 })).toEqual({ skip: 0, warmup: 1 });
});

test.each([
  // 50 skipped, 100 to warm up, 150 counted of 400.
  ["warm", 20, { skip: 20, warmup: 130, limit: 150 }],
  ["warm", 900, { skip: 150, warmup: 0, limit: 150 }],
  ["count", 200, { skip: 50, warmup: 150, limit: 100 }],
  ["count", 0, { skip: 50, warmup: 0, limit: 250 }],
  ["count", 400, { skip: 50, warmup: 249, limit: 1 }],
  ["end", 350.4, { skip: 50, warmup: 100, limit: 200 }],
  ["end", 500, { skip: 50, warmup: 100 }],
  ["end", 10, { skip: 50, warmup: 100, limit: 1 }],
] as const)("the_border_%s_moves_to_%f", (edge, to, moved) => {
  const run = runSpan({ skip: 50, warmup: 100, limit: 150 }, 400);
  expect(moveEdge(run, edge, to, 400)).toEqual(moved);
});

test("a_window_whose_borders_are_those_of_the_trace_is_none", () => {
  const run = runSpan({ skip: 10, warmup: 0 }, 400);
  expect(moveEdge(run, "warm", 0, 400)).toEqual({ skip: 0, warmup: 10 });
  expect(moveEdge(runSpan({ skip: 0, warmup: 9 }, 400), "count", 0, 400)).toBe(
    undefined,
  );
});
