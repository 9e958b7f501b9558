import { expect, test } from "vitest";
import {
  NO_PROGRESS,
  progressIn,
  readProgress,
  scoreOf,
  withAnswer,
  withSeen,
  writeProgress,
} from "../../../src/model/learn/progress";

test("steps_are_seen_once_and_in_order", () => {
  const seen = [3, 1, 3].reduce(
    (progress, step) => withSeen(progress, "a", step),
    NO_PROGRESS,
  );
  expect(progressIn(seen, "a").seen).toEqual([1, 3]);
  expect(withSeen(seen, "a", 1)).toBe(seen);
});

test("tries_are_counted_until_an_answer_is_right", () => {
  const wrong = { given: "1", right: false, mistake: "tag-for-set" };
  const right = { given: "3", right: true };
  const all = [wrong, right, wrong].reduce(
    (progress, answer) => withAnswer(progress, "a", 2, answer),
    NO_PROGRESS,
  );
  expect(progressIn(all, "a").answers).toEqual({
    2: { given: "3", right: true, tries: 2, mistake: "tag-for-set" },
  });
  expect(scoreOf(progressIn(all, "a"))).toEqual({ answered: 1, right: 0 });
  const again = withAnswer(all, "a", 3, right);
  expect(scoreOf(progressIn(again, "a"))).toEqual({ answered: 2, right: 1 });
});

test("what_is_written_is_read_again", () => {
  const progress = withAnswer(withSeen(NO_PROGRESS, "a", 2), "a", 2, {
    given: "3",
    right: true,
    sure: "fairly",
  });
  expect(readProgress(writeProgress(progress))).toEqual(progress);
});

test.each([
  ["no_json", "{", {}],
  ["another_version", '{"version":2,"lessons":{"a":{}}}', {}],
  ["a_list", '{"version":1,"lessons":[]}', {}],
  [
    "a_lesson_that_is_none",
    '{"version":1,"lessons":{"a":7}}',
    { a: { seen: [], answers: {} } },
  ],
  [
    "damaged_answers",
    '{"version":1,"lessons":{"a":{"seen":[1,"x"],"answers":{"1":{"given":3},"2":{"given":"3","tries":1,"sure":"very"}}}}}',
    {
      a: { seen: [1], answers: { 2: { given: "3", right: false, tries: 1 } } },
    },
  ],
])("progress_of_%s", (_name, text, expected) => {
  expect(readProgress(text)).toEqual(expected);
});
