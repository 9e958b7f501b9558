import { expect, test } from "vitest";
import { IMPORT_LIMIT } from "../../src/state/import/importFile";
import { N, settle, startApp } from "./app";

const source = (name: string, bytes = 90) => ({
  file: new Blob(["x".repeat(bytes)]),
  name,
});

test("a_clear_file_that_is_dropped_is_imported_at_once_and_stays_for_other_choices", async () => {
  const { actions, state } = await startApp();
  expect(await actions.dropFile([source("a.csv")])).toBe(false);
  expect(state()).toMatchObject({
    trace: { name: "a.csv" },
    draft: { name: "a.csv", isLooking: false },
    importing: undefined,
    showsImport: true,
  });
});

test("a_file_that_leaves_something_open_is_asked_about", async () => {
  const { actions, engine, state } = await startApp();
  expect(await actions.dropFile([source("guess.csv")])).toBe(true);
  expect(state()).toMatchObject({ trace: { n_accesses: N } });
  expect(state().draft?.peek?.list?.base).toBe("decimal");
  await actions.readAs({ list: { base: "hex" } });
  expect(state().draft?.peek?.list?.base).toBe("hex");
  await actions.take({ pids: [7], limit: "1000" });
  let isRead = false;
  await actions.importDraft(() => (isRead = true));
  expect(isRead).toBe(true);
  expect(engine.imported).toEqual({
    limit: 1000,
    format: undefined,
    list: { base: "hex" },
    select: { pids: [7] },
  });
  expect(state().trace?.name).toBe("guess.csv");
});

test("without_a_limit_an_import_has_the_usual_one", async () => {
  const { actions, engine } = await startApp();
  await actions.dropFile([source("a.csv")]);
  expect(engine.imported).toMatchObject({ limit: IMPORT_LIMIT });
});

test("another_format_forgets_the_layout", async () => {
  const { actions, state } = await startApp();
  await actions.lookAt(source("guess.csv"));
  await actions.readAs({ list: { base: "hex" } });
  await actions.readAs({ format: "csv" });
  expect(state().draft?.reading).toEqual({ format: "csv" });
  await actions.readAs({ format: "" });
  expect(state().draft?.reading).toEqual({});
});

test("the_newest_look_is_the_one_that_is_shown", async () => {
  const { actions, engine, state } = await startApp();
  await actions.lookAt(source("guess.csv"));
  const release = engine.hold("peek");
  const older = actions.readAs({ list: { base: "hex" } });
  const newer = actions.readAs({ list: { base: "decimal" } });
  await settle();
  expect(state().draft?.isLooking).toBe(true);
  release();
  await Promise.all([older, newer]);
  expect(state().draft).toMatchObject({
    isLooking: false,
    peek: { list: { base: "decimal" } },
  });
});

test("the_preview_is_of_what_is_chosen", async () => {
  const { actions, engine, state } = await startApp();
  await actions.lookAt(source("guess.csv"));
  await actions.take({ pids: [7] });
  expect(state().draft).toMatchObject({
    isLooking: false,
    peek: { records: [{ pid: 7 }] },
  });
  const release = engine.hold("peek");
  const older = actions.take({ pids: [7, 8] });
  const newer = actions.take({ pids: [8] });
  // Fields that do not change the selected accesses do not start a new preview.
  await actions.take({ limit: "2" });
  expect(state().draft?.isLooking).toBe(true);
  release();
  await Promise.all([older, newer]);
  expect(state().draft).toMatchObject({
    isLooking: false,
    take: { pids: [8], limit: "2" },
    peek: { records: [{ pid: 8 }] },
  });
});

test("why_an_import_failed_is_told_in_the_dialog_until_something_changes", async () => {
  const { actions, engine, state } = await startApp();
  await actions.lookAt(source("a.csv"));
  engine.failNext("import", "bad-trace");
  await actions.importDraft(() => undefined);
  expect(state().draft?.rejected).toBe("import failed.");
  expect(state().notices).toEqual([]);
  await actions.take({ limit: "5" });
  expect(state().draft?.rejected).toBeUndefined();
});

test("what_is_typed_wrong_is_not_imported", async () => {
  const { actions, engine } = await startApp();
  await actions.lookAt(source("a.csv"));
  await actions.take({ limit: "many" });
  await actions.importDraft(() => undefined);
  expect(engine.log.filter((call) => call.startsWith("import a"))).toEqual([]);
});

test("a_dropped_file_can_be_cancelled_while_it_is_looked_at", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("peek");
  const dropped = actions.dropFile([source("a.csv")]);
  await settle();
  expect(state().importing).toMatchObject({ name: "a.csv", size: 90 });
  actions.cancelImport();
  release();
  expect(await dropped).toBe(false);
  expect(state()).toMatchObject({
    trace: { n_accesses: N },
    importing: undefined,
  });
});

test("a_file_that_cannot_be_looked_at_is_told", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("peek", "unsupported");
  expect(await actions.dropFile([source("a.csv")])).toBe(false);
  expect(state().notices).toMatchObject([{ text: "a.csv: peek failed." }]);
  expect(state().draft).toBeUndefined();
});

test("an_export_gives_a_file_and_what_is_lost_and_can_be_cancelled", async () => {
  const { actions, engine, state } = await startApp();
  const exported = await actions.exportTrace("din");
  expect(await exported?.file.text()).toBe("din");
  expect(exported?.lost).toEqual([{ what: "sizes", count: 3 }]);
  const release = engine.hold("export");
  const writing = actions.exportTrace("csv");
  await settle();
  expect(state().exporting).toMatchObject({
    format: "csv",
    progress: { done: 1, total: 2 },
  });
  actions.cancelExport();
  release();
  expect(await writing).toBeUndefined();
  expect(state()).toMatchObject({ exporting: undefined, notices: [] });
});
