/** The engine of the lessons: no step, print or answer gets the trace or the verdict of another. */
import { expect, test } from "vitest";
// It loads on use; the test does not wait for that.
import "../../src/state/learn/print";
import { createApp, settle } from "./app";

async function settled() {
  for (let n = 0; n < 4; n++) await settle();
}

/** Opens step 2 of the lesson “Sets”, which asks. */
async function open() {
  const app = createApp();
  await app.actions.open("#screen=learn&lesson=sets&step=2");
  await settled();
  const [side] = app.sideEngines;
  if (!side) throw new Error("The lessons have an engine.");
  const learn = () => {
    const { learn } = app.state();
    if (!learn) throw new Error("The lessons are not loaded.");
    return learn;
  };
  return { ...app, learn, side, lesson: await app.actions.learn() };
}

test("the_next_lesson_waits_until_the_one_before_is_read", async () => {
  const { lesson, learn, side } = await open();
  const release = side.hold("import");
  const more = lesson.goTo({ lesson: "more", step: 2 });
  await settled();
  const sets = lesson.goTo({ lesson: "sets", step: 3 });
  await settled();
  release();
  await Promise.all([more, sets]);
  expect(side.log.slice(-8)).toEqual([
    "run",
    "cpus",
    "import Sets",
    "configure Skylake-SP 4K",
    "run",
    "seek 1",
    "seek 0",
    "ask 1 references",
  ]);
  expect(learn().shown).toMatchObject({ lesson: "sets", step: 3 });
});

test("a_print_that_fails_is_no_problem_of_the_next_lesson", async () => {
  const { lesson, learn, side } = await open();
  const release = side.hold("answer");
  side.failNext("answer", "bad-config");
  const printed = lesson.print();
  await settled();
  const gone = lesson.goTo({ lesson: "more", step: 1 });
  release();
  await Promise.all([printed, gone]);
  expect(learn().problem).toBe(undefined);
  expect(learn().sheet).toBe(undefined);
  expect(learn().shown?.lesson).toBe("more");
});

test("a_verdict_on_another_answer_is_not_shown", async () => {
  const { lesson, learn, side } = await open();
  const release = side.hold("answer");
  lesson.give("20");
  const first = lesson.answer();
  await settled();
  lesson.give("3");
  release();
  await first;
  expect(learn().question).toMatchObject({ given: "3", done: false });
  expect(learn().question?.graded).toBe(undefined);
  await lesson.answer();
  expect(learn().progress["sets"]?.answers[2]).toMatchObject({
    right: true,
    tries: 1,
  });
});

test("a_problem_goes_with_the_next_success_and_replaced_work_is_none", async () => {
  const { lesson, learn, side } = await open();
  lesson.give("3");
  side.failNext("answer", "cancelled");
  await lesson.answer();
  expect(learn().question?.problem).toBe(undefined);
  side.failNext("answer", "bad-config");
  await lesson.answer();
  expect(learn().question?.problem).toContain("answer failed");
  await lesson.answer();
  expect(learn().question).toMatchObject({ done: true, problem: undefined });
});

test("the_picture_of_a_question_stays_unanswered_until_the_next_step_is_there", async () => {
  const { lesson, learn, side } = await open();
  const left = async (step: number) => {
    const release = side.hold("seek");
    const gone = lesson.goTo({ lesson: "sets", step });
    await settled();
    const { shown } = learn();
    release();
    await gone;
    return shown;
  };
  expect(await left(3)).toMatchObject({ step: 2, answered: false });
  lesson.give("3");
  await lesson.answer();
  expect(await left(4)).toMatchObject({ step: 3, answered: true });
});
