/** Grading with a fake engine: lines of answers, their order, and the report. */
import { expect, test } from "vitest";
import { createApp } from "./app";
import {
  openTeacher,
  OTHER,
  packed,
  seen,
  settled,
  TEXT,
} from "./openExercise";

test("pasted_lines_and_files_are_graded_together_with_their_places", async () => {
  const { teacher, grade, actions } = await openTeacher();
  await grade.take("name;answer\n\nPW1.Ada\nPW1.Bo");
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
  await grade.take(lines.join("\n"));
  // Calls of 1, 2, 4, 8, 16 and 32 lines.
  expect(seen).toBe(63);
  expect(teacher().progress).toBe(undefined);
  expect(teacher().report?.students).toHaveLength(63);
});

test("the_parts_of_a_wrapped_line_stay_together_and_later_lines_keep_their_numbers", async () => {
  const { teacher, grade } = await openTeacher();
  await grade.take("name\nPW1.Ada\n> xyz\n\nPW1.Bo\nPW1.Cy\nHana, none");
  const { students, unread } = teacher().report ?? {};
  expect(students?.map(({ line }) => line)).toEqual([2, 5, 6]);
  expect(unread?.map(({ line }) => line)).toEqual([1, 7]);
});

test("each_batch_is_graded_with_its_own_trace_open", async () => {
  const app = await openTeacher();
  const [side] = app.sideEngines;
  if (!side) throw new Error("The exercise has an engine.");
  let made: Promise<unknown> | undefined;
  const { maker } = await app.actions.exercise();
  side.inspect = (name) => {
    if (name !== "gradeExercise" || made) return;
    // Another exercise needs the same engine between two batches.
    made = maker.papersFor(OTHER, []);
  };
  await app.grade.take("PW1.Ada\nPW1.Bo");
  expect(seen(app, /^(import|gradeExercise)/)).toEqual([
    "import lines.txt",
    "gradeExercise",
    "import lines.txt",
    "import lines.txt",
    "gradeExercise",
  ]);
});

test("new_answers_wait_for_those_that_are_being_graded", async () => {
  const { teacher, grade, sideEngines } = await openTeacher();
  const release = sideEngines[0]?.hold("gradeExercise");
  const first = grade.take("PW1.Ada\nPW1.Bo");
  await settled();
  const second = grade.take("PW1.Cy");
  expect(teacher().progress).toEqual({ done: 0, total: 3 });
  release?.();
  await Promise.all([first, second]);
  expect(teacher().report?.students.map(({ name }) => name)).toEqual([
    "Ada",
    "Bo",
    "Cy",
  ]);
  expect(teacher().progress).toBe(undefined);
});

test("the_report_stays_when_the_page_is_left_and_when_another_file_is_dropped", async () => {
  const { teacher, grade, actions, data } = await openTeacher();
  await grade.take("PW1.Ada");
  await actions.dropFile([{ file: new Blob(["{}"]), name: "config.json" }]);
  expect(teacher().failure).toContain("config.json");
  expect(teacher().report?.students).toHaveLength(1);
  await actions.dropFile([{ file: new Blob([TEXT]), name: "sets.json" }]);
  expect(teacher().report?.students).toHaveLength(1);
  await actions.open("#screen=learn");
  await settled();
  await actions.open(`#screen=learn&grade=${data}`);
  await settled();
  expect(teacher().report?.students).toHaveLength(1);
  grade.clear();
  await actions.dropFile([{ file: new Blob([TEXT]), name: "sets.json" }]);
  expect(teacher().report).toBe(undefined);
});

test("lines_that_are_not_graded_when_the_page_is_left_are_graded_when_it_is_back", async () => {
  const { teacher, grade, actions, data, sideEngines } = await openTeacher();
  const release = sideEngines[0]?.hold("gradeExercise");
  const graded = grade.take("PW1.Ada\nPW1.Bo");
  await settled();
  await actions.open("#screen=learn");
  await settled();
  release?.();
  await graded;
  await actions.open(`#screen=learn&grade=${data}`);
  await settled();
  expect(teacher().report?.students).toHaveLength(2);
});

test("answers_that_come_before_the_exercise_wait_for_it", async () => {
  const app = createApp();
  packed(app, TEXT);
  await app.actions.open("#screen=learn&grade=");
  await settled();
  const { teacher: grade } = await app.actions.exercise();
  await app.actions.dropFile([{ file: new Blob(["PW1.Ada"]), name: "a.txt" }]);
  await grade.take("PW1.Bo");
  const early = app.state().exercise;
  expect(early).toMatchObject({
    early: [{ name: "a.txt" }, { name: "pasted" }],
  });
  await grade.take(TEXT);
  expect(app.state().exercise).toMatchObject({
    early: [],
    report: { students: [{ name: "Ada" }, { name: "Bo" }] },
  });
});

test("an_unknown_error_ends_the_grading_and_is_said", async () => {
  const { teacher, grade, sideEngines } = await openTeacher();
  const [side] = sideEngines;
  if (!side) throw new Error("The exercise has an engine.");
  side.inspect = (name) => {
    if (name === "gradeExercise") throw new Error("odd");
  };
  await grade.take("PW1.Ada");
  expect(teacher()).toMatchObject({
    progress: undefined,
    failure: "odd. This is a bug of Pagewalk. 1 line not graded.",
  });
});

test("a_failure_of_grading_and_an_empty_file_are_said", async () => {
  const { teacher, grade, sideEngines } = await openTeacher();
  await grade.take("  \n");
  expect(teacher().failure).toBe("There is no line in it.");
  sideEngines[0]?.failNext("gradeExercise", "bad-config", "machine");
  await grade.take("PW1.Ada");
  expect(teacher().failure).toContain("gradeExercise failed");
  expect(teacher().progress).toBe(undefined);
});
