/** An exercise in the real simulator, as the command line makes and grades it. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExerciseView } from "../../src/engine/generated/ExerciseView";
import type { GivenAnswer } from "../../src/engine/generated/GivenAnswer";
import { wasmEngine } from "./wasm";

const text = readFileSync("sim-core/cli/tests/fixtures/exercise.json", "utf8");
const name = "Ada";

const engine = wasmEngine();
afterAll(() => engine.dispose());

let view: ExerciseView;

beforeAll(async () => {
  view = await engine.call("exercise", { text });
  if (!("lines" in view.trace)) throw new Error("The trace has no lines.");
  const file = new Blob([view.trace.lines]);
  await engine.start("import", { file, name: "lines.txt" });
  const { machine, os } = view;
  await engine.call("configure", { machine, os });
  await engine.start("run", {});
});

const given = (text: string): GivenAnswer => ({
  given: text,
  tries: 1,
  seconds: 5,
});

test("the_questions_are_those_of_the_command_line", async () => {
  const asked = await engine.call("exerciseQuestions", { text, name });
  expect(view).toMatchObject({ digest: "5eda0dc39acc", asked: 3 });
  const places = asked.map(({ question, posed }) => [question, posed.at]);
  expect(places).toEqual([
    [1, 4],
    [2, 3],
    [3, 2],
  ]);
});

test("the_line_of_a_student_is_graded", async () => {
  const answers = ["43", "fault", "5fc"].map(given);
  const line = await engine.call("exerciseLine", { text, name, answers });
  const report = await engine.call("gradeExercise", {
    text,
    files: [{ name: "class.csv", text: `1,${line}\ncut,PW1.q1Z` }],
  });
  expect(report.students).toMatchObject([
    { name, label: "1", file: "class.csv", line: 1, right: 2 },
  ]);
  expect(report.questions.map(({ mistakes }) => mistakes)).toEqual([
    { "page-for-set": 1 },
    {},
    {},
  ]);
  expect(report.unread).toMatchObject([{ line: 2, start: "cut,PW1.q1Z" }]);
});

test("a_machine_of_several_cores_is_another_one", async () => {
  const { machine, os } = view;
  await engine.call("configure", { machine, os, cores: "tid" });
  await expect(
    engine.call("exerciseQuestions", { text, name }),
  ).rejects.toMatchObject({ code: "bad-config", at: { field: "machine" } });
});
