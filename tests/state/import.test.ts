import { expect, test } from "vitest";
import { N, settle, startApp } from "./app";

const file = (bytes: number) => new Blob(["x".repeat(bytes)]);

test("an_imported_file_becomes_the_trace_and_its_report_is_shown", async () => {
  const { actions, state } = await startApp();
  await actions.importFile({ file: file(90), name: "a.csv" });
  expect(state()).toMatchObject({
    trace: { name: "a.csv" },
    builtIn: undefined,
    showsImport: true,
    window: { from: 0, to: 90 },
    cursor: 33,
  });
});

test("a_file_that_cannot_be_read_leaves_everything_as_it_was", async () => {
  const { actions, engine, state } = await startApp();
  const { trace, snapshot, timeline } = state();
  engine.failNext("import", "bad-trace");
  await actions.importFile({ file: file(5), name: "bad.bin" });
  expect(state()).toMatchObject({ trace, snapshot, timeline, stale: false });
  expect(state().importing).toBeUndefined();
  expect(state().notices[0]).toMatchObject({
    tone: "error",
    code: "bad-trace",
    text: "bad.bin: import failed.",
  });
});

test("the_replay_goes_on_during_an_import_which_can_be_cancelled", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("import");
  const reading = actions.importFile({ file: file(90), name: "big.csv" });
  await settle();
  expect(state().importing).toMatchObject({ name: "big.csv", size: 90 });
  await actions.goTo(7);
  expect(state().snapshot?.step.index).toBe(7);
  actions.cancelImport();
  release();
  await reading;
  expect(state()).toMatchObject({
    trace: { n_accesses: N },
    importing: undefined,
    notices: [],
  });
});
