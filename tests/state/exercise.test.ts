/** Exercises with a fake engine: opening, solving, going on later, grading and making. */
import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/engine";
import { exerciseData, LINK_MOST } from "../../src/model/exercise/link";
import type { Draft } from "../../src/model/exercise/draft";
import { permalink } from "../../src/state/selectors";
import type {
  StudentState,
  TeacherState,
} from "../../src/state/exercise/state";
import { createApp, settle, startApp } from "./app";

const TEXT = JSON.stringify({
  pagewalk: "exercise",
  title: "Sets",
  attempts: 2,
  questions: [
    { ask: { kind: "set", of: "TLB" }, at: 6 },
    { ask: { kind: "references" }, at: 7 },
  ],
});

/** The fake packs a text by a `!` after it, so words are encoded here. */
function packed(app: ReturnType<typeof createApp>, text: string): string {
  const words = new Map([["abc", text]]);
  app.loops.unpack = (word) => {
    const found = words.get(word);
    return found === undefined
      ? Promise.reject(new Error("damaged"))
      : Promise.resolve(found);
  };
  app.loops.pack = (code) => Promise.resolve(code === text ? "abc" : "other");
  return exerciseData("abc");
}

async function settled() {
  for (let n = 0; n < 8; n++) await settle();
}

async function openStudent(text = TEXT, app = createApp()) {
  const data = packed(app, text);
  await app.actions.open(`#screen=learn&exercise=${data}`);
  await settled();
  const student = () => {
    const { exercise } = app.state();
    if (exercise?.role !== "student") throw new Error("It is no student.");
    return exercise satisfies StudentState;
  };
  return {
    ...app,
    student,
    data,
    solve: (await app.actions.exercise()).student,
  };
}

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

async function openTeacher() {
  const app = createApp();
  const data = packed(app, TEXT);
  await app.actions.open(`#screen=learn&grade=${data}`);
  await settled();
  const teacher = () => {
    const { exercise } = app.state();
    if (exercise?.role !== "teacher") throw new Error("It is no teacher.");
    return exercise satisfies TeacherState;
  };
  return { ...app, teacher, grade: (await app.actions.exercise()).teacher };
}

test("pasted_lines_and_files_are_graded_together_with_their_places", async () => {
  const { teacher, grade, actions } = await openTeacher();
  await grade.add("name;answer\n\nPW1.Ada\nPW1.Bo");
  await actions.dropFile([
    { file: new Blob(["PW1.Cy\n"]), name: "cy.pw1.txt" },
    { file: new Blob(["PW1.Ada"]), name: "ada.pw1.txt" },
  ]);
  const { report, progress } = teacher();
  expect(progress).toBe(undefined);
  expect(
    report?.students.map(({ name, file, line }) => `${name} ${file} ${line}`),
  ).toEqual([
    "Ada pasted 3",
    "Bo pasted 4",
    "Cy cy.pw1.txt 1",
    "Ada ada.pw1.txt 1",
  ]);
  expect(report?.unread).toMatchObject([{ file: "pasted", line: 1 }]);
  expect(report?.questions[0]?.mistakes).toEqual({ "page-for-set": 4 });
  grade.clear();
  expect(teacher().report).toBe(undefined);
});

test("a_trace_dropped_on_another_screen_does_not_go_to_the_hidden_grading_page", async () => {
  const { teacher, actions, state } = await openTeacher();
  await actions.open("#screen=measured");
  await actions.dropFile([{ file: new Blob(["xxx"]), name: "mine.csv" }]);
  await settled();
  expect(state().trace?.name).toBe("mine.csv");
  expect(teacher().report).toBe(undefined);
});

test("grading_shows_progress_and_stops_when_it_is_cancelled", async () => {
  const { teacher, grade, sideEngines } = await openTeacher();
  const lines = Array.from({ length: 100 }, (_, at) => `PW1.S${at}`);
  let seen = 0;
  const [side] = sideEngines;
  if (!side) throw new Error("The exercise has an engine.");
  side.inspect = (name) => {
    if (name !== "gradeExercise") return;
    seen = teacher().progress?.done ?? 0;
    if (seen > 40) grade.cancel();
  };
  await grade.add(lines.join("\n"));
  // Calls of 1, 2, 4, 8, 16 and 32 lines.
  expect(seen).toBe(63);
  expect(teacher().progress).toBe(undefined);
  expect(teacher().report?.students).toHaveLength(63);
});

test("a_failure_of_grading_and_an_empty_file_are_said", async () => {
  const { teacher, grade, sideEngines } = await openTeacher();
  await grade.add("  \n");
  expect(teacher().failure).toBe("There is no line in it.");
  sideEngines[0]?.failNext("gradeExercise", "bad-config", "machine");
  await grade.add("PW1.Ada");
  expect(teacher().failure).toContain("gradeExercise failed");
  expect(teacher().progress).toBe(undefined);
});

const DRAFT: Draft = {
  title: "Sets",
  asks: [{ kind: "set", of: "TLB" }],
  where: "walks",
  n: 1,
  hints: true,
  attempts: undefined,
  choices: undefined,
  locked: [],
};

test.each([
  ["an example", { trace: "chase" }, { example: "chase" }],
  [
    "a workload",
    { workload: { id: "uniform", params: { accesses: "50" } } },
    { workload: { id: "uniform", params: { accesses: "50" } } },
  ],
] as const)("an_exercise_about_%s_names_its_trace", async (_, link, trace) => {
  const { actions, sideEngines } = await startApp(link);
  const maker = (await actions.exercise()).maker;
  const made = await maker.make(DRAFT, "Ada");
  expect(JSON.parse(made.text)).toMatchObject({ trace, title: "Sets" });
  expect(made.data).toBeDefined();
  expect(made.questions).toMatchObject([{ posed: { at: 6 }, answer: "3" }]);
  // Other questions about the same trace need no new run.
  await maker.make({ ...DRAFT, title: "Other" }, "Ada");
  const runs = sideEngines[0]?.log.filter((line) => line === "run");
  expect(runs).toHaveLength(1);
});

test("an_exercise_about_a_long_file_is_a_file_and_says_what_is_lost", async () => {
  const { actions } = createApp();
  await actions.start();
  await actions.importFile({
    file: new Blob(["x".repeat(3000)]),
    name: "mine.csv",
  });
  const maker = (await actions.exercise()).maker;
  const made = await maker.make(DRAFT, "Ada");
  expect(made.data).toBe(undefined);
  expect(made.noLink).toContain("this trace has 3,000. Hand out the file.");
  expect(made.lost).toEqual(["sizes (3)"]);
});

test("a_link_that_is_too_long_is_refused", async () => {
  const app = await startApp({ trace: "chase" });
  app.loops.pack = () => Promise.resolve("x".repeat(LINK_MOST));
  const maker = (await app.actions.exercise()).maker;
  const made = await maker.make(DRAFT, "Ada");
  expect(made.data).toBe(undefined);
  expect(made.noLink).toContain("6,144 are the limit");
});

test("a_trace_that_is_too_long_says_so", async () => {
  const params = { accesses: "2000000" };
  const { actions } = await startApp({ workload: { id: "uniform", params } });
  const maker = (await actions.exercise()).maker;
  await expect(maker.make(DRAFT, "Ada")).rejects.toThrow(
    "at most 1,048,576 accesses, and this trace has 2,000,000.",
  );
});

test("a_question_with_too_few_accesses_says_how_many_there_are", async () => {
  const { actions, sideEngines } = await startApp({ trace: "chase" });
  const { maker } = await actions.exercise();
  await maker.make(DRAFT, "Ada");
  const message = "the question {} makes sense at 2 of the accesses";
  const at = { field: "questions[0].among" };
  sideEngines[0]?.failures.set(
    "exerciseQuestions",
    new EngineError("bad-config", message, at),
  );
  await expect(maker.make({ ...DRAFT, n: 3 }, "Ada")).rejects.toThrow(
    "“Set: TLB” makes sense at 2 accesses of these, not at 3.",
  );
});

test("questions_that_make_no_sense_here_are_found", async () => {
  const app = await startApp({ trace: "chase" });
  const maker = (await app.actions.exercise()).maker;
  app.engine.failNext("ask", "bad-config", "of");
  const good = await maker.askable([{ kind: "outcome" }, { kind: "cycles" }]);
  expect([...good]).toEqual(['{"kind":"cycles"}']);
});
