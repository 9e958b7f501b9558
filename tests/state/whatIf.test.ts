import { expect, test } from "vitest";
import type { Question } from "../../src/engine/generated/Question";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { replayOf, rowOf } from "../../src/model/whatif/sweep";
import { keyOf } from "../../src/model/whatif/questions";
import { permalink } from "../../src/state/selectors";
import { createApp, settle, startApp } from "./app";

const question: Question = {
  what: "surface",
  uses: { pages: "4K", kinds: ["load"] },
};

async function onScreen() {
  const app = await startApp();
  await app.actions.open("#screen=what-if");
  const { configuration } = app.state();
  if (!configuration) throw new Error("Nothing is configured.");
  const { machine, os } = configuration.setup;
  /** Returns the setup of a machine with this number of entries. */
  const of = (entries: number) => ({
    machine: { ...machine, l1: [{ entries }] },
    os,
  });
  return { ...app, setup: configuration.setup, of };
}

test("a_question_is_asked_once_and_answered", async () => {
  const { actions, engine, state } = await onScreen();
  engine.answers.set("surface", { rows: [] });
  const key = keyOf(question);
  const letGo = engine.hold("analyse");
  const both = [actions.ask(question), actions.ask(question)];
  await settle();
  expect(state().whatIf.answers[key]?.status).toBe("running");
  letGo();
  await Promise.all(both);
  expect(state().whatIf.answers[key]).toEqual({
    status: "done",
    value: { rows: [] },
  });
  await actions.ask(question);
  expect(engine.log.filter((call) => call === "analyse surface")).toHaveLength(
    1,
  );
});

test("another_trace_forgets_the_answers", async () => {
  const { actions, engine, state } = await onScreen();
  await actions.ask(question);
  await actions.importFile({ file: new Blob(["xx"]), name: "a.csv" });
  await settle();
  await actions.ask(question);
  expect(Object.keys(state().whatIf.answers)).toHaveLength(1);
  expect(engine.log.filter((call) => call === "analyse surface")).toHaveLength(
    2,
  );
});

test("what_is_cancelled_says_so_alone_and_can_be_asked_again", async () => {
  const { actions, engine, state } = await onScreen();
  const other: Question = {
    what: "surface",
    uses: { pages: "2M", kinds: ["load"] },
  };
  const release = engine.hold("analyse");
  const asked = [question, other].map((each) => actions.ask(each));
  await actions.cancelAsked([question]);
  release();
  await Promise.all(asked);
  expect(state().whatIf.answers[keyOf(question)]?.status).toBe("cancelled");
  expect(state().whatIf.answers[keyOf(other)]?.status).toBe("done");
  await actions.ask(question);
  expect(state().whatIf.answers[keyOf(question)]?.status).toBe("done");
});

test("a_question_that_is_refused_says_why", async () => {
  const { actions, engine, state } = await onScreen();
  engine.failNext("analyse", "too-large", "window");
  await actions.ask(question);
  expect(state().whatIf.answers[keyOf(question)]).toMatchObject({
    status: "failed",
    why: "analyse failed (at `window`).",
  });
});

test("of_machines_that_are_tried_only_the_newest_is_run_to_its_end", async () => {
  const { actions, engine, state, setup, of } = await onScreen();
  const release = engine.hold("runWhole");
  const [a, b] = [of(4), of(8)].map((part) => ({ ...setup, ...part }));
  if (!a || !b) throw new Error("There are two.");
  const first = actions.tryRun(a, true);
  const second = actions.tryRun(b, true);
  release();
  await Promise.all([first, second]);
  expect(state().whatIf.runs[keyOf(a)]?.status).toBe("cancelled");
  expect(state().whatIf.runs[keyOf(b)]?.status).toBe("done");
});

test("a_trial_that_was_overtaken_says_nothing_of_the_same_machine_tried_again", async () => {
  const { actions, engine, state, setup, of } = await onScreen();
  const [a, b] = [of(4), of(8)].map((part) => ({ ...setup, ...part }));
  if (!a || !b) throw new Error("There are two.");
  const letFirstGo = engine.hold("runWhole");
  const first = actions.tryRun(a, true);
  await settle();
  const letOthersGo = engine.hold("runWhole");
  const others = [actions.tryRun(b, true), actions.tryRun(a, true)];
  await settle();
  letFirstGo();
  await first;
  expect(state().whatIf.runs[keyOf(a)]?.status).toBe("running");
  letOthersGo();
  await Promise.all(others);
  expect(state().whatIf.runs[keyOf(a)]?.status).toBe("done");
});

test("a_run_that_is_no_trial_does_not_end_with_a_trial_of_the_same_machine", async () => {
  for (const order of [
    [true, false],
    [false, true],
  ]) {
    const { actions, engine, state, setup, of } = await onScreen();
    const [a, b] = [of(4), of(8)].map((part) => ({ ...setup, ...part }));
    if (!a || !b) throw new Error("There are two.");
    const release = engine.hold("runWhole");
    const both = order.map((isTrial) => actions.tryRun(a, isTrial));
    const other = actions.tryRun(b, true);
    release();
    await Promise.all([...both, other]);
    expect(state().whatIf.runs[keyOf(a)]?.status).toBe("done");
  }
});

test("without_a_change_nothing_is_tried", async () => {
  const { actions, engine, state, setup, of } = await onScreen();
  await actions.changeWhatIf(of(4));
  const a = { ...setup, ...of(4) };
  const release = engine.hold("runWhole");
  const run = actions.tryRun(a, true);
  await actions.undoWhatIf();
  release();
  await run;
  expect(state().whatIf.runs[keyOf(a)]?.status).toBe("cancelled");
});

test("a_machine_of_another_model_is_opened_as_that_model", async () => {
  const { actions, state, of } = await onScreen();
  await actions.openWhatIf(of(4), "amd-zen2");
  expect(state().configuration?.cpu).toBe("amd-zen2");
});

test("the_steps_of_one_slider_are_undone_together", async () => {
  const { actions, state, of } = await onScreen();
  await actions.changeWhatIf(of(4), "ways");
  await actions.changeWhatIf(of(8), "ways");
  await actions.restWhatIf();
  await actions.changeWhatIf(of(16), "ways");
  const change = () => JSON.stringify(state().whatIf.view.change?.machine);
  expect(change()).toContain("16");
  await actions.undoWhatIf();
  expect(change()).toContain("8");
  await actions.undoWhatIf();
  expect(state().whatIf.view.change).toBeUndefined();
  await actions.undoWhatIf();
  expect(state().whatIf.past).toEqual([]);
  await actions.redoWhatIf();
  await actions.redoWhatIf();
  await actions.redoWhatIf();
  expect(change()).toContain("16");
  await actions.undoWhatIf();
  await actions.changeWhatIf(of(32));
  expect(state().whatIf.future).toEqual([]);
});

test("a_change_is_opened_as_a_replay_and_taken_back_there", async () => {
  const { actions, state, of, setup } = await onScreen();
  await actions.changeWhatIf(of(4));
  await actions.openWhatIf(of(4));
  expect(state()).toMatchObject({ screen: "replay", stale: false });
  expect(state().configuration?.setup.machine.l1).toEqual([{ entries: 4 }]);
  expect(state().whatIf.view.change).toBeUndefined();
  await actions.undo();
  expect(state().configuration?.setup.machine).toEqual(setup.machine);
});

test("a_row_is_opened_with_its_own_cores_and_its_own_part_of_the_trace", async () => {
  const { actions, state, of } = await onScreen();
  const { machine, os } = of(4);
  const ran = { machine, os, cores: "tid", window: { skip: 1, warmup: 2 } };
  const line = JSON.stringify({ row: 0, axes: {}, ...ran });
  await actions.openSetup(replayOf(rowOf(line).setup));
  expect(state().configuration?.setup).toEqual(ran);
  // The setup as a link of an older version has it, without these choices.
  const plain = { machine, os, cores: "one", window: { skip: 0, warmup: 0 } };
  const before = JSON.stringify({ row: 0, axes: {}, ...plain });
  await actions.openSetup(replayOf(rowOf(before).setup));
  expect(state().configuration?.setup).toEqual({ machine, os });
});

test("a_machine_that_cannot_be_stays_on_the_screen_of_questions", async () => {
  const { actions, engine, state, of } = await onScreen();
  await actions.changeWhatIf(of(4));
  engine.failNext("configure", "bad-config", "l1[0].entries");
  await actions.openWhatIf(of(4));
  expect(state().whatIf.view.change).toBeDefined();
});

test("the_link_of_the_screen_restores_it", async () => {
  const { actions, state, of } = await onScreen();
  await actions.chooseWhatIf({ kinds: "all", structure: "l1[0]" });
  await actions.changeWhatIf(of(4));
  const link = encodePermalink(permalink(state()));
  expect(link).toMatch(/^screen=what-if&/);
  const reopened = createApp();
  await reopened.actions.open(`#${link}`);
  expect(reopened.state().screen).toBe("what-if");
  expect(reopened.state().whatIf.view).toEqual(state().whatIf.view);
  expect(encodePermalink(permalink(reopened.state()))).toBe(link);
});
