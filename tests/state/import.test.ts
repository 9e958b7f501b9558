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
    cursor: 0,
  });
});

test.each([
  [999, 0],
  [1002, 837],
])("a_trace_of_%d_accesses_opens_at_access_%d", async (accesses, opened) => {
  const { actions, state } = await startApp();
  await actions.importFile({ file: file(accesses), name: "a.csv" });
  expect(state().cursor).toBe(opened);
});

test("the_report_of_an_import_goes_with_the_screen_that_it_was_shown_on", async () => {
  const { actions, state } = await startApp();
  await actions.importFile({ file: file(90), name: "a.csv" });
  expect(state().showsImport).toBe(true);
  await actions.open("#screen=compare");
  expect(state()).toMatchObject({ screen: "compare", showsImport: false });
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
  expect(state().importing).toMatchObject({
    name: "big.csv",
    size: 90,
    hasSelection: false,
  });
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

test("a_file_that_a_link_wanted_opens_at_its_access", async () => {
  const { actions, state } = await startApp({ file: "a.csv", access: 17 });
  expect(state().notices[0]?.text).toContain(
    "Import it again to continue at access 17",
  );
  await actions.importFile({ file: file(90), name: "a.csv" });
  expect(state()).toMatchObject({ cursor: 17, notices: [] });
});

test("an_error_that_the_dialog_shows_is_no_notice_and_another_import_clears_the_last", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("import", "bad-trace");
  const found: string[] = [];
  const onRejected = ({ message }: Error) => found.push(message) > 0;
  await actions.importFile({ file: file(5), name: "bad.bin", onRejected });
  expect(found).toEqual(["import failed."]);
  expect(state()).toMatchObject({ notices: [], importing: undefined });
  engine.failNext("import", "bad-trace");
  await actions.importFile({ file: file(5), name: "bad.bin" });
  expect(state().notices).toHaveLength(1);
  await actions.importFile({ file: file(90), name: "a.csv" });
  expect(state().notices).toEqual([]);
});

test("an_import_under_way_tells_whether_all_or_those_chosen_are_wanted", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("import");
  const reading = actions.importFile({
    file: file(90),
    name: "big.csv",
    choices: { select: { pids: [7] } },
  });
  await settle();
  expect(state().importing).toMatchObject({ hasSelection: true });
  release();
  await reading;
});

test("no_picture_of_the_previous_trace_is_left_under_the_name_of_the_next", async () => {
  const { actions, engine, state } = await startApp();
  const pictures = () => {
    const { trace, snapshot, report, timeline } = state();
    return [trace?.name, !!snapshot, !!report, !!timeline];
  };
  const run = engine.hold("run");
  const count = engine.hold("timeline");
  const done = actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  expect(pictures()).toEqual(["a.csv", false, false, false]);
  run();
  await settle();
  expect(pictures()).toEqual(["a.csv", true, true, false]);
  count();
  await done;
  expect(pictures()).toEqual(["a.csv", true, true, true]);
});
