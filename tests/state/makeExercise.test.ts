/** Making exercises with a fake engine. */
import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/engine";
import { MAX_LINK } from "../../src/engine/generated/exerciseRules";
import type { Draft } from "../../src/model/exercise/draft";
import { createApp, startApp } from "./app";

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
  app.codeService.pack = () => Promise.resolve("x".repeat(MAX_LINK));
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
