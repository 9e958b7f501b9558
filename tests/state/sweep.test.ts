import { expect, test } from "vitest";
import { sweepLines } from "../../src/state/sweepActions";
import { startApp } from "./app";

test("rows_come_one_by_one_and_are_kept_in_their_order", async () => {
  const { actions, state } = await startApp();
  await actions.runSweep("3");
  expect(state().sweep).toMatchObject({ status: "done", total: 3 });
  expect(sweepLines(state().sweep)).toBe(
    [0, 1, 2].map((row) => `{"row":${row},"rows":3}\n`).join(""),
  );
  expect(await actions.sweepTable()).toBe(sweepLines(state().sweep));
});

test("a_cancelled_sweep_keeps_its_rows_and_runs_the_others_only", async () => {
  const { actions, engine, state, store } = await startApp();
  const stop = store.subscribe(({ sweep }) => {
    if (sweep?.lines.size === 1) actions.cancelSweep();
  });
  await actions.runSweep("4");
  stop();
  expect(state().sweep?.status).toBe("cancelled");
  expect([...(state().sweep?.lines.keys() ?? [])]).toEqual([0]);
  engine.log.length = 0;
  await actions.runSweep("4");
  const again = engine.log.filter((call) => call.startsWith("row"));
  expect(again).toEqual(["row 1", "row 2", "row 3"]);
  expect(state().sweep?.lines.size).toBe(4);
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
  expect(engine.log.some((call) => call.startsWith("row"))).toBe(false);
});
