import { expect, test } from "vitest";
import { permalink } from "../../src/state/selectors";
import { createApp, N, startApp } from "./app";

const part = { skip: 30, warmup: 50, limit: 100 };

test("a_part_of_the_trace_is_counted_and_can_be_undone", async () => {
  const { actions, state } = await startApp({ access: 250 });
  expect(await actions.setRunWindow(part)).toBeUndefined();
  expect(state().configuration?.setup.window).toEqual(part);
  // The shown access is no longer simulated.
  expect(state().snapshot?.step.index).toBe(179);
  expect(permalink(state()).count).toEqual(part);
  await actions.undo();
  expect(state().configuration?.setup.window).toBeUndefined();
});

test("moving_and_playing_stay_inside", async () => {
  const app = await startApp({ access: 250 });
  await app.actions.setRunWindow(part);
  await app.actions.goTo(0);
  expect(app.state().cursor).toBe(30);
  await app.actions.goTo(N);
  expect(app.state().cursor).toBe(179);
  app.actions.setSpeed(1000);
  app.actions.play();
  await app.tick(0);
  expect(app.state().cursor).toBe(30);
  await app.tick(10_000);
  await app.tick(10);
  expect(app.state()).toMatchObject({ cursor: 179, playing: false });
});

test("a_window_that_counts_nothing_is_an_error_at_its_field", async () => {
  const { actions, engine, state } = await startApp();
  const before = state();
  const rejected = await actions.setRunWindow({ skip: N, warmup: 0 });
  expect(rejected).toMatchObject({ at: { field: "window.skip" } });
  expect(state()).toEqual(before);
  expect(engine.log.filter((call) => call.startsWith("run"))).toHaveLength(1);
});

test("another_trace_is_counted_as_a_whole", async () => {
  const { actions, state } = await startApp();
  await actions.setRunWindow(part);
  await actions.importFile({ file: new Blob(["x".repeat(40)]), name: "mine" });
  expect(state().configuration?.setup.window).toBeUndefined();
  expect(state().past.some(({ setup }) => setup.window)).toBe(false);
  expect(state().stale).toBe(false);
});

test("after_another_trace_redo_does_not_bring_a_part_back", async () => {
  const { actions, state } = await startApp();
  await actions.setRunWindow(part);
  await actions.undo();
  expect(state().future.some(({ setup }) => setup.window)).toBe(true);
  await actions.importFile({ file: new Blob(["x".repeat(40)]), name: "mine" });
  expect(state().future.some(({ setup }) => setup.window)).toBe(false);
});

test("another_cpu_counts_the_same_part", async () => {
  const { actions, state } = await startApp();
  await actions.setRunWindow(part);
  await actions.chooseCpu("amd-zen2");
  expect(state().configuration?.setup.window).toEqual(part);
});

test("a_link_opens_its_part", async () => {
  const { state } = await startApp({ count: part, access: 150 });
  expect(state().configuration?.setup.window).toEqual(part);
  expect(state().cursor).toBe(150);
});

test("a_part_that_the_trace_does_not_have_is_told_and_all_is_counted", async () => {
  const app = createApp();
  app.engine.failNext("run", "bad-config", "window.skip");
  await app.actions.start({ count: { skip: 9_999, warmup: 0 } });
  expect(app.state().configuration?.setup.window).toBeUndefined();
  expect(app.state().notices[0]?.text).toContain("The whole trace is counted.");
  expect(app.state().stale).toBe(false);
});

test("the_part_of_a_file_waits_for_its_import", async () => {
  const { actions, state } = await startApp({ file: "mine", count: part });
  expect(state().configuration?.setup.window).toBeUndefined();
  await actions.importFile({ file: new Blob(["x".repeat(400)]), name: "mine" });
  expect(state().configuration?.setup.window).toEqual(part);
});
