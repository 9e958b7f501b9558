import { expect, test, vi } from "vitest";
import { sweepLines } from "../../src/model/whatif/sweepState";
import { startApp } from "./app";

test("rows_come_one_by_one_and_are_kept_in_their_order", async () => {
  const { actions, state } = await startApp();
  await actions.runSweep("3");
  expect(state().sweep).toMatchObject({ status: "done", total: 3 });
  expect(sweepLines(state().sweep)).toBe(
    [0, 1, 2].map((row) => `{"row":${row},"axes":{}}\n`).join(""),
  );
  expect(await actions.sweepCsv()).toBe(sweepLines(state().sweep));
});

test("a_cancelled_sweep_keeps_its_rows_and_runs_the_others_only", async () => {
  const { actions, engine, state } = await startApp();
  const run = actions.runSweep("4");
  while (!engine.log.includes("runRow 1")) await Promise.resolve();
  actions.cancelSweep();
  await run;
  expect(state().sweep?.status).toBe("cancelled");
  expect([...(state().sweep?.rows.keys() ?? [])]).toEqual([0]);
  engine.log.length = 0;
  await actions.runSweep("4");
  const rerun = engine.log.filter((call) => call.startsWith("runRow"));
  expect(rerun).toEqual(["runRow 1", "runRow 2", "runRow 3"]);
  expect(state().sweep?.rows.size).toBe(4);
});

test("a_changed_sweep_runs_all_its_rows", async () => {
  const { actions, engine, state } = await startApp();
  await actions.runSweep("4");
  engine.log.length = 0;
  await actions.runSweep("2");
  const runs = engine.log.filter((call) => call.startsWith("runRow"));
  expect(runs).toEqual(["runRow 0", "runRow 1"]);
  expect(state().sweep).toMatchObject({ status: "done", total: 2 });
  expect(state().sweep?.rows.size).toBe(2);
});

test("a_sweep_that_cannot_be_says_where_it_is_wrong", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("sweepRows", "bad-config", "axes[0].values");
  await actions.runSweep("2");
  expect(state().sweep).toMatchObject({
    status: "failed",
    problem: "sweepRows failed (at `axes[0].values`).",
  });
});

test("a_sweep_of_too_many_rows_is_left_to_the_command_line", async () => {
  const { actions, engine, state } = await startApp();
  await actions.runSweep("1001");
  expect(state().sweep?.problem).toContain("pagewalk sweep");
  expect(state().sweep?.total).toBe(1001);
  expect(engine.log.some((call) => call.startsWith("runRow"))).toBe(false);
});

test("what_comes_between_two_frames_is_shown_together", async () => {
  const { actions, engine, state, store, tick } = await startApp();
  const sizes = new Set<number | undefined>();
  const stop = store.subscribe(({ sweep }) => sizes.add(sweep?.rows.size));
  const run = actions.runSweep("5");
  while (!engine.log.includes("runRow 2")) await Promise.resolve();
  const release = engine.hold("runRow");
  while (!engine.log.includes("runRow 3")) await Promise.resolve();
  await tick(16);
  const before = state().sweep?.rows.size;
  release();
  await run;
  stop();
  expect([...sizes]).toEqual([0, before, 5]);
  expect(before).toBeGreaterThan(1);
});

test("a_trace_that_is_opened_while_the_rows_are_counted_is_not_swept", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("sweepRows");
  const run = actions.runSweep("3");
  await vi.waitFor(() => expect(state().sweep?.status).toBe("running"), {
    timeout: 30_000,
  });
  await actions.importFile({ file: new Blob(["xx"]), name: "a.csv" });
  release();
  await run;
  expect(state().trace?.name).toBe("a.csv");
  expect(engine.log.some((call) => call.startsWith("runRow"))).toBe(false);
  expect(state().sweep?.status).toBe("cancelled");
});

test("a_trace_that_is_opened_as_soon_as_a_sweep_is_asked_for_is_not_swept", async () => {
  const { actions, engine, state } = await startApp();
  const run = actions.runSweep("3");
  await actions.importFile({ file: new Blob(["xx"]), name: "a.csv" });
  await run;
  expect(state().trace?.name).toBe("a.csv");
  expect(engine.log.some((call) => call.startsWith("runRow"))).toBe(false);
});

test("after_a_crash_of_the_replay_the_rows_stay_and_the_others_come", async () => {
  const { actions, engine, state } = await startApp();
  const run = actions.runSweep("4");
  while (!engine.log.includes("runRow 1")) await Promise.resolve();
  const release = engine.hold("runRow");
  while (!engine.log.includes("runRow 2")) await Promise.resolve();
  const recovery = engine.restored();
  const before = state().trace;
  // The recovered trace is a new object, because the file is read again.
  engine.nextRecovery =
    recovery.outcome === "restored"
      ? { ...recovery, trace: { ...recovery.trace } }
      : recovery;
  await actions.crash();
  expect(state().trace).not.toBe(before);
  expect(state().sweep?.trace).toBe(state().trace);
  expect(state().sweep?.status).toBe("running");
  release();
  await run;
  expect(state().sweep?.trace).toBe(state().trace);
  expect(state().sweep).toMatchObject({ status: "done", total: 4 });
  expect(state().sweep?.rows.size).toBe(4);
});

test("a_crash_that_counts_the_rows_is_recovered_from", async () => {
  const { actions, engine, state } = await startApp();
  engine.nextRecovery = engine.restored();
  engine.failNext("sweepRows", "crashed");
  await actions.runSweep("2");
  expect(state().sweep?.status).toBe("failed");
  expect(state().notices).toMatchObject([{ code: "crashed" }]);
});
