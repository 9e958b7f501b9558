import { expect, test } from "vitest";
import { N, settle, startApp } from "./app";

const FILTER = {
  by: "address",
  start: "0x1000",
  end: "0x2000",
  label: "[heap]",
} as const;

test("a_run_is_attributed_once_and_another_run_anew", async () => {
  const { actions, engine, state } = await startApp();
  await Promise.all([actions.attribute(), actions.attribute()]);
  await actions.attribute();
  const asked = () => engine.log.filter((line) => line === "attribution");
  expect(asked()).toHaveLength(1);
  expect(state().attribution?.view?.total.accesses).toBe(N);
  await actions.choosePages("2M");
  expect(state().attribution?.report).not.toBe(state().report);
  await actions.attribute();
  expect(asked()).toHaveLength(2);
});

test("what_fails_is_told_and_can_be_asked_for_again", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("attribution", "bad-trace");
  await actions.attribute();
  expect(state().notices[0]?.text).toBe("attribution failed.");
  await actions.attribute();
  expect(state().attribution?.view).toBeDefined();
});

test("a_filter_shows_a_part_in_the_timeline_until_it_is_taken_away_or_the_trace_changes", async () => {
  const { actions, engine, state } = await startApp();
  const last = () =>
    engine.log.filter((line) => line.startsWith("timeline")).at(-1);
  await actions.showOnly(FILTER);
  expect(last()).toMatch(/address 0x1000$/);
  await actions.openWindow({ from: 10, to: 60 });
  expect(last()).toMatch(/^timeline 10 60 .*address 0x1000$/);
  await actions.showOnly(undefined);
  expect(last()).not.toMatch(/address/);
  await actions.showOnly(FILTER);
  await actions.importFile({ file: new Blob(["xxxx".repeat(9)]), name: "a" });
  await settle();
  expect(last()).not.toMatch(/address/);
  expect(state().only?.trace).not.toBe(state().trace);
});
