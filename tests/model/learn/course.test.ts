import { expect, test } from "vitest";
import { placeIn, resumeAt } from "../../../src/model/learn/course";
import type { Progress } from "../../../src/model/learn/progress";

const LESSONS = [
  { id: "a", short: true, steps: 2 },
  { id: "b", short: false, steps: 2 },
  { id: "c", short: true, steps: 3 },
  { id: "d", short: false, steps: 2 },
];

test.each([
  ["a", { short: { at: 1, n: 2 }, next: "c" }],
  ["b", { next: "c" }],
  ["c", { short: { at: 2, n: 2 } }],
  ["d", {}],
])("the_course_of_%s_goes_on", (id, expected) => {
  expect(placeIn(LESSONS, id)).toEqual(expected);
});

const seen = (steps: Readonly<Record<string, readonly number[]>>): Progress =>
  Object.fromEntries(
    Object.entries(steps).map(([id, seen]) => [id, { seen, answers: {} }]),
  );

test.each([
  ["nothing is begun", {}, undefined],
  ["a lesson is open", { a: [1, 2], c: [1, 2] }, { lesson: "c", step: 2 }],
  ["a lesson is read", { a: [1, 2] }, { lesson: "c", step: 1 }],
  ["the short course is read", { a: [1, 2], c: [1, 2, 3] }, undefined],
  [
    "an earlier lesson is open",
    { a: [1], c: [1, 2, 3] },
    { lesson: "a", step: 1 },
  ],
])("a_reader_goes_on_when_%s", (_, steps, expected) => {
  expect(resumeAt(LESSONS, seen(steps))).toEqual(expected);
});
