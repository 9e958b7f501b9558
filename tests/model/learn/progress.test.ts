import { expect, test } from "vitest";
import { calibrationOf } from "../../../src/model/learn/calibration";
import {
  NO_PROGRESS,
  isProgress,
  mergeProgress,
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
  ["no_object", "[]", {}],
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

test("certainty_is_that_of_the_first_try", () => {
  const first = { given: "1", right: false, sure: "guess" } as const;
  const second = { given: "3", right: true, sure: "certain" } as const;
  const sure = (...answers: readonly (typeof first | typeof second)[]) =>
    answers.reduce(
      (progress, answer) => withAnswer(progress, "a", 2, answer),
      NO_PROGRESS,
    )["a"]?.answers[2]?.sure;
  expect(sure(first, second)).toBe("guess");
  expect(sure({ ...first, sure: undefined as never }, second)).toBe(undefined);
});

/** As this version writes it, and as a later one may: with fields, lessons and answers that this one does not know. */
const TODAY =
  '{"pagewalk":"progress","version":1,"lessons":{"sets":{"seen":[1,2],"answers":{"2":{"given":"3","right":true,"tries":1,"sure":"certain"}}}}}';
const LATER =
  '{"pagewalk":"progress","version":7,"name":"Kim","lessons":{"sets":{"seen":[1,2],"begun":9,"answers":{"2":{"given":"3","right":true,"tries":1,"sure":"certain","seconds":12},"3":{"drawn":[1,2]}}},"new-lesson":{"seen":[1],"answers":{},"stars":3}}}';

test("progress_of_today_is_read", () => {
  expect(readProgress(TODAY)).toEqual({
    sets: {
      seen: [1, 2],
      answers: { 2: { given: "3", right: true, tries: 1, sure: "certain" } },
    },
  });
  expect(JSON.parse(writeProgress(readProgress(TODAY)))).toEqual(
    JSON.parse(TODAY),
  );
});

test("what_a_later_version_wrote_stays", () => {
  const read = readProgress(LATER);
  expect(read["sets"]).toEqual(readProgress(TODAY)["sets"]);
  expect(JSON.parse(writeProgress(read, LATER))).toEqual(JSON.parse(LATER));
  const answered = withAnswer(read, "sets", 4, { given: "5", right: true });
  const written = JSON.parse(writeProgress(answered, LATER)) as {
    version: number;
    lessons: { sets: { begun: number; answers: object } };
  };
  expect(written.version).toBe(7);
  expect(written.lessons.sets.begun).toBe(9);
  expect(written.lessons.sets.answers).toEqual({
    2: { given: "3", right: true, tries: 1, sure: "certain", seconds: 12 },
    3: { drawn: [1, 2] },
    4: { given: "5", right: true, tries: 1 },
  });
});

test.each([
  [TODAY, true],
  [LATER, true],
  ["", false],
  ["PW1.abc", false],
  ["[]", false],
  ['{"version":1,"lessons":{}}', false],
  ['{"pagewalk":"progress","lessons":{}}', false],
  ['{"pagewalk":"progress","version":1,"lessons":[]}', false],
])("%s_is_a_file_of_progress_%s", (text, is) => {
  expect(isProgress(text)).toBe(is);
});

test("a_right_answer_wins_when_progress_is_merged", () => {
  const answer = (given: string, right: boolean) => ({
    given,
    right,
    tries: 1,
  });
  const own = {
    a: {
      seen: [1, 3],
      answers: {
        1: answer("own", false),
        2: answer("own", true),
        3: answer("own", false),
      },
    },
  };
  const other = {
    a: {
      seen: [2, 3],
      answers: {
        1: answer("other", true),
        2: answer("other", true),
        3: answer("other", false),
        4: answer("other", false),
      },
    },
    b: { seen: [1], answers: {} },
  };
  expect(mergeProgress(own, other)).toEqual({
    a: {
      seen: [1, 2, 3],
      answers: {
        1: answer("other", true),
        2: answer("own", true),
        3: answer("own", false),
        4: answer("other", false),
      },
    },
    b: { seen: [1], answers: {} },
  });
});

test.each([
  // Right and wrong answers of those who guess, and of those who are certain.
  [[2, 0], [2, 0], "few"],
  [[0, 0], [4, 1], "fits"],
  [[0, 0], [3, 2], "over"],
  [[4, 1], [2, 0], "under"],
  [[1, 4], [5, 0], "fits"],
  [[2, 0], [1, 2], "over"],
] as const)(
  "guesses_%o_and_certain_answers_%o_are_%s",
  (guess, certain, verdict) => {
    const answers = (["guess", "certain"] as const).flatMap((sure) => {
      const [right, wrong] = sure === "guess" ? guess : certain;
      return Array.from({ length: right + wrong }, (_, at) => ({
        given: "1",
        right: true,
        tries: at < right ? 1 : 2,
        sure,
      }));
    });
    const lesson = { seen: [], answers: Object.fromEntries(answers.entries()) };
    expect(calibrationOf([lesson]).verdict).toBe(verdict);
  },
);
