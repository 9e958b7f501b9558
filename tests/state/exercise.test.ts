/** Exercises with a fake engine: opening, solving and going on later. */
import { expect, test } from "vitest";
import { MAX_TEXT } from "../../src/engine/generated/exerciseRules";
import { exerciseData } from "../../src/model/exercise/link";
import { permalink } from "../../src/state/selectors";
import { createApp } from "./app";
import { openStudent, packed, settled, TEXT } from "./openExercise";

test("a_link_opens_the_exercise_and_asks_for_a_name", async () => {
  const { student, state, data } = await openStudent();
  expect(student()).toMatchObject({
    stage: "start",
    name: "",
    view: { title: "Sets", asked: 2 },
    problem: undefined,
  });
  expect(permalink(state())).toEqual({ screen: "learn", exercise: data });
});

test("a_name_that_is_typed_while_the_last_one_is_looked_up_stays", async () => {
  const app = await openStudent();
  await app.solve.setName("Bo");
  await app.solve.begin();
  await app.actions.open("#screen=learn");
  await settled();
  // The reader types as soon as the form is there.
  const stop = app.store.subscribe(({ exercise }) => {
    if (exercise?.role !== "student" || !exercise.view) return;
    stop();
    void app.solve.setName("Di");
  });
  await app.actions.open(`#screen=learn&exercise=${app.data}`);
  await settled();
  expect(app.student().name).toBe("Di");
});

test("a_name_is_needed_and_the_questions_come_from_an_engine_of_their_own", async () => {
  const { student, solve, engine, sideEngines } = await openStudent();
  await solve.begin();
  expect(student().stage).toBe("start");
  // The field shows at once what is typed.
  void solve.setName(" Ada ");
  expect(student().name).toBe(" Ada ");
  await solve.begin();
  expect(student()).toMatchObject({ stage: "asking", name: "Ada", at: 0 });
  expect(student().question?.posed?.at).toBe(6);
  expect(sideEngines).toHaveLength(1);
  expect(engine.log).not.toContain("import lines.txt");
  expect(sideEngines[0]?.log).toContain("import lines.txt");
});

test("attempts_seconds_and_hints_are_counted_and_the_last_attempt_ends_the_question", async () => {
  const { student, solve, tick } = await openStudent();
  await solve.setName("Ada");
  await solve.begin();
  await tick(4000);
  solve.hint();
  solve.beSure("certain");
  solve.give("0xf");
  await solve.answer();
  expect(student().question).toMatchObject({
    graded: { right: false, mistake: "page-for-set" },
    done: false,
  });
  // The same answer is not graded twice.
  await solve.answer();
  expect(student().answers[0]).toEqual({
    given: "0xf",
    right: false,
    tries: 1,
    seconds: 4,
    hints: 1,
    sure: "certain",
  });
  solve.give("20");
  await solve.answer();
  expect(student().question?.done).toBe(true);
  solve.give("3");
  expect(student().question?.given).toBe("20");
});

test("a_reload_goes_on_with_the_answers_of_this_name", async () => {
  const { student, solve, exercises, ...app } = await openStudent();
  await solve.setName("Ada");
  await solve.begin();
  solve.give("3");
  await solve.answer();
  await settled();
  expect(exercises.answers.size).toBe(1);
  // The page opens the link again.
  await app.actions.open("#screen=learn");
  await app.actions.open(`#screen=learn&exercise=${exerciseData("abc")}`);
  await settled();
  expect(student()).toMatchObject({ name: "Ada", kept: 1, stage: "start" });
  await solve.begin();
  expect(student().at).toBe(1);
  await solve.goTo(0);
  expect(student().question).toMatchObject({
    given: "3",
    done: true,
    graded: { right: true },
  });
  await solve.setName("Bo");
  expect(student().kept).toBe(0);
});

test("the_end_has_the_line_and_leads_back", async () => {
  const { student, solve } = await openStudent();
  await solve.setName("Ada");
  await solve.begin();
  await solve.goTo(1);
  await solve.finish();
  expect(student()).toMatchObject({ stage: "end", line: "PW1.Ada" });
  await solve.goTo(0);
  expect(student().stage).toBe("asking");
});

test.each([
  ["#screen=learn&exercise=9abc", "problemNewer"],
  ["#screen=learn&exercise=1xyz", "problemDamaged"],
  ["#screen=learn&exercise=%20", "problemDamaged"],
  ["#screen=learn&grade=1xyz", "problemDamaged"],
])("the_link_%s_says_what_is_wrong", async (hash, key) => {
  const app = createApp();
  packed(app, TEXT);
  await app.actions.open(hash);
  await settled();
  expect(app.state().exercise?.problem).toEqual({ key });
});

test("an_exercise_of_a_newer_version_and_a_wrong_one_say_so", async () => {
  const newer = await openStudent(TEXT.replace("Sets", "newer"));
  expect(newer.student().problem).toEqual({ key: "problemNewer" });
  const app = createApp();
  await app.actions.open("#screen=learn&exercise=");
  await settled();
  const student = (await app.actions.exercise()).student;
  await student.take("{}");
  expect(app.state().exercise?.problem).toEqual({ key: "problemFile" });
});

test("a_trace_that_cannot_be_made_is_reported_on_the_first_page", async () => {
  const { student, solve, sideEngines } = await openStudent();
  await solve.setName("Ada");
  sideEngines[0]?.failNext("import", "bad-trace");
  await solve.begin();
  expect(student()).toMatchObject({
    stage: "start",
    problem: { key: "problemWrong", why: "import failed." },
  });
  await solve.begin();
  expect(student().stage).toBe("asking");
});

test("a_dropped_exercise_opens_for_a_student_and_the_lessons_close_it", async () => {
  const app = createApp();
  packed(app, TEXT);
  await app.actions.dropFile([
    { file: new Blob([TEXT]), name: "sets.exercise.json" },
  ]);
  await settled();
  expect(app.state().screen).toBe("learn");
  expect(app.state().exercise?.view?.title).toBe("Sets");
  await app.actions.open("#screen=learn");
  await settled();
  expect(app.state().exercise).toBe(undefined);
});

test.each([
  ["the_most_bytes", 0, true],
  ["more_bytes_than_a_link_unpacks_to", 1, false],
])(
  "a_file_of_%s_stands_in_the_address_if_a_link_can_hold_it",
  async (_, more, is) => {
    const app = createApp();
    const { length } = TEXT;
    // Two bytes each, and deflated to nearly nothing.
    const text = `${TEXT}${" ".repeat((MAX_TEXT - length) % 2)}`;
    const title = "é".repeat((MAX_TEXT - text.length) / 2);
    const input = `${text.replace("Sets", `Sets${title}`)}${" ".repeat(more)}`;
    const data = packed(app, input);
    await app.actions.dropFile([
      { file: new Blob([input]), name: "sets.json" },
    ]);
    await settled();
    expect(app.state().exercise?.view?.title).toContain("Sets");
    expect(permalink(app.state()).exercise).toBe(is ? data : "");
  },
);

test("a_file_that_is_too_large_for_an_exercise_is_not_read", async () => {
  const { student, solve } = await openStudent();
  const file = new Blob([TEXT]);
  Object.defineProperty(file, "size", { value: 60_000_000 });
  await solve.takeFile(file);
  expect(student().problem).toEqual({ key: "problemFile" });
});
