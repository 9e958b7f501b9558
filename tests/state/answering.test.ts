/** Answers of exercises with a fake engine: which question, which name and which time they belong to. */
import { expect, test } from "vitest";
import { openStudent, OTHER, seen, settled, TEXT } from "./openExercise";

test("two_exercises_that_open_together_do_not_mix_their_traces", async () => {
  const app = await openStudent();
  const release = app.sideEngines[0]?.hold("import");
  await app.solve.setName("Ada");
  const first = app.solve.begin();
  await settled();
  await app.solve.take(OTHER);
  await settled();
  await app.solve.setName("Ada");
  const second = app.solve.begin();
  await settled();
  // The trace of the first is still read: that of the second waits.
  expect(seen(app, /^import/)).toHaveLength(1);
  release?.();
  await Promise.all([first, second]);
  expect(seen(app, /^(import|configure|run|seek)/).slice(0, 7)).toEqual([
    "import lines.txt",
    "configure Skylake-SP 4K",
    "run",
    "import lines.txt",
    "configure Skylake-SP 4K",
    "run",
    "seek 6",
  ]);
  expect(app.student()).toMatchObject({ stage: "asking", at: 0 });
});

/** Ada's answer 3 is being graded. */
async function grading() {
  const app = await openStudent();
  const { solve, sideEngines } = app;
  await solve.setName("Ada");
  await solve.begin();
  const release = sideEngines[0]?.hold("answer");
  solve.give("3");
  const answered = solve.answer();
  await settled();
  const done = async (...all: readonly Promise<unknown>[]) => {
    release?.();
    await Promise.all([answered, ...all]);
    await settled();
  };
  const kept = (name: string) =>
    app.exercises.answers.get(`0123456789ab ${name}`);
  return { ...app, done, kept };
}

test.each(["goTo", "finish", "rename"] as const)(
  "an_answer_that_is_being_graded_is_kept_by_%s",
  async (what) => {
    const { student, solve, done, kept } = await grading();
    const away =
      what === "goTo" ? solve.goTo(1) : Promise.resolve(solve[what]());
    await done(away);
    expect(student().answers[0]).toMatchObject({ given: "3", tries: 1 });
    expect(kept("Ada")).toContain('"given":"3"');
    expect(student().stage).toBe(
      { goTo: "asking", finish: "end", rename: "start" }[what],
    );
  },
);

test("the_line_has_the_answer_that_was_being_graded", async () => {
  const { student, solve, done, sideEngines } = await grading();
  const [side] = sideEngines;
  if (!side) throw new Error("The exercise has an engine.");
  let tries: number | undefined;
  side.inspect = (name) => {
    if (name === "exerciseLine") tries = student().answers[0]?.tries;
  };
  await done(solve.finish());
  expect(tries).toBe(1);
});

test("an_answer_is_not_stored_under_another_name", async () => {
  const { student, solve, done, kept, store } = await grading();
  // However the name changes meanwhile.
  const bo = { ...student(), name: "Bo", stage: "start" } as const;
  store.setState({ exercise: bo });
  await done();
  expect(kept("Bo")).toBe(undefined);
  expect(student().answers[0]?.tries).toBe(0);
  await solve.begin();
  expect(student().answers[0]?.given).toBe("");
});

test("quick_answers_are_graded_one_after_another", async () => {
  const { student, solve, done } = await grading();
  const again = solve.answer();
  solve.give("20");
  const other = solve.answer();
  await done(again, other);
  expect(student().answers[0]).toMatchObject({ given: "20", tries: 1 });
});

test("each_name_has_its_own_seconds_and_pauses_do_not_count", async () => {
  const { student, solve, tick, sideEngines } = await openStudent();
  await solve.setName("Ada");
  await solve.begin();
  await tick(3000);
  await solve.rename();
  expect(student().answers[0]?.seconds).toBe(3);
  // Neither the first page nor the time until the question is there counts.
  await tick(60_000);
  await solve.setName("Bo");
  const release = sideEngines[0]?.hold("seek");
  const begun = solve.begin();
  await settled();
  await tick(60_000);
  release?.();
  await begun;
  await tick(2000);
  await solve.finish();
  expect(student().answers.map(({ seconds }) => seconds)).toEqual([2, 0]);
  await tick(60_000);
  await solve.goTo(1);
  await tick(1000);
  await solve.goTo(0);
  expect(student().answers.map(({ seconds }) => seconds)).toEqual([2, 1]);
});

test("another_error_than_the_engines_is_said_and_ends_the_wait", async () => {
  const lost = TEXT.replace('"attempts":2', '"trace":{"loop":"nope"}');
  const { student, solve } = await openStudent(lost);
  await solve.setName("Ada");
  await solve.begin();
  expect(student().stage).toBe("start");
  expect(student().problem?.why).toContain("nope");
});

test("a_problem_of_a_question_goes_with_the_next_success_and_stays_with_its_question", async () => {
  const { student, solve, sideEngines } = await openStudent();
  await solve.setName("Ada");
  await solve.begin();
  const [side] = sideEngines;
  side?.failNext("answer", "bad-config");
  solve.give("3");
  await solve.answer();
  expect(student().question?.problem).toContain("answer failed");
  await solve.answer();
  expect(student().question?.problem).toBe(undefined);
  // Work that newer work replaced is no problem.
  side?.failNext("seek", "cancelled");
  await solve.goTo(1);
  expect(student().question?.problem).toBe(undefined);
});

test("the_picture_of_a_skipped_question_stays_unanswered_until_the_next_is_there", async () => {
  const { student, solve, sideEngines } = await openStudent();
  await solve.setName("Ada");
  await solve.begin();
  const left = async (to: number) => {
    const release = sideEngines[0]?.hold("seek");
    const gone = solve.goTo(to);
    await settled();
    const { shown } = student();
    release?.();
    await gone;
    return shown;
  };
  expect(await left(1)).toMatchObject({ at: 0, answered: false });
  solve.give("3");
  await solve.answer();
  expect(await left(0)).toMatchObject({ at: 1, answered: true });
});
