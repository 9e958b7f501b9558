import { expect, test, vi } from "vitest";
import {
  decodePermalink,
  encodePermalink,
} from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { N, createApp, settle, startApp } from "./app";
import type { FakeKept } from "./fakeKept";

const file = (bytes: number) => new Blob(["x".repeat(bytes)]);

/** Delays the storing of a trace. The returned function releases it. */
function holdPut(kept: FakeKept): () => void {
  const put = kept.put.bind(kept);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  kept.put = async (trace, file) => {
    await held;
    await put(trace, file);
  };
  return release;
}

async function withImport(name = "a.csv", bytes = 90) {
  const app = await startApp();
  await app.actions.importFile({ file: file(bytes), name });
  await settle();
  return app;
}

test("an_imported_trace_is_kept_and_its_link_opens_it_again", async () => {
  const first = await withImport();
  // A trace is kept after it is shown.
  await vi.waitFor(() => expect(first.state().kept).toBeDefined());
  expect(first.state().kept).toMatchObject([
    { name: "a.csv", hash: "hash of a.csv", accesses: 90, format: "csv" },
  ]);
  await first.actions.goTo(17);
  const link = encodePermalink(permalink(first.state()));
  expect(link).toContain("hash=");
  // A new page in the same browser, with the same storage.
  const second = createApp(first.kept);
  await second.actions.start(decodePermalink(link));
  expect(second.state()).toMatchObject({
    trace: { name: "a.csv" },
    builtIn: undefined,
    cursor: 17,
    notices: [],
  });
  expect(permalink(second.state())).toEqual(permalink(first.state()));
});

test("a_link_to_a_trace_that_is_not_kept_says_so_and_its_import_goes_on_there", async () => {
  const { actions, state } = await startApp({
    file: "a.csv",
    hash: "hash of a.csv",
    access: 17,
  });
  expect(state().builtIn).toBe(BUILT_IN_TRACES[0].id);
  expect(state().notices[0]?.text).toBe(
    `“a.csv” cannot be opened: it is not kept in this browser. Import it again to continue at access 17. Until then “${BUILT_IN_TRACES[0].title}” is shown.`,
  );
  await actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  expect(state()).toMatchObject({ cursor: 17, notices: [] });
});

test("another_file_of_the_same_name_is_told", async () => {
  const { actions, state } = await startApp({
    file: "a.csv",
    hash: "of something else",
  });
  await actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  expect(state().notices[0]?.text).toContain(
    "has the name of the link’s trace",
  );
});

test("the_address_names_a_trace_once_a_reload_would_find_it", async () => {
  const app = await startApp();
  const goOn = holdPut(app.kept);
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  expect(app.state().hash).toBeUndefined();
  goOn();
  await settle();
  expect(app.state().hash).toBe("hash of a.csv");
  expect(app.state().kept).toHaveLength(1);
});

test("a_trace_that_is_restored_after_a_crash_while_it_is_kept_is_named", async () => {
  const app = await startApp();
  const goOn = holdPut(app.kept);
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  const { trace } = app.state();
  const restored = app.engine.restored();
  if (restored.outcome !== "restored" || !trace) throw new Error("No trace.");
  app.engine.nextRecovery = { ...restored, trace: { ...trace } };
  await app.actions.crash();
  expect(app.state().trace).not.toBe(trace);
  expect(app.state().hash).toBeUndefined();
  goOn();
  await settle();
  expect(app.state().hash).toBe("hash of a.csv");
});

test("a_trace_that_cannot_be_kept_is_open_all_the_same", async () => {
  const app = await startApp();
  app.kept.failure = "no-room";
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  expect(app.state()).toMatchObject({
    trace: { name: "a.csv" },
    hash: "hash of a.csv",
    kept: [],
    stale: false,
  });
  expect(app.state().notices).toMatchObject([
    {
      tone: "note",
      text: "“a.csv” is open, but cannot be kept for the next visit: it takes 90 B, and the browser gives this page no more space. Delete traces under Import.",
    },
  ]);
});

test("where_nothing_can_be_kept_a_link_says_why", async () => {
  const app = createApp();
  app.kept.failure = "not-allowed";
  await app.actions.start({ file: "a.csv", hash: "1" });
  expect(app.state().notices[0]?.text).toContain("as in a private window");
  expect(app.state().trace?.n_accesses).toBe(N);
});

test("kept_traces_are_opened_and_deleted", async () => {
  const { actions, state } = await withImport();
  await actions.importFile({ file: file(40), name: "b.csv" });
  await settle();
  expect(state().kept?.map(({ name }) => name)).toEqual(["b.csv", "a.csv"]);
  await actions.openKept("hash of a.csv");
  expect(state()).toMatchObject({
    trace: { name: "a.csv" },
    hash: "hash of a.csv",
  });
  await actions.deleteKept("hash of b.csv");
  expect(state().kept?.map(({ name }) => name)).toEqual(["a.csv"]);
  await actions.deleteAllKept();
  expect(state().kept).toEqual([]);
  // The open trace stays open after it is deleted from the browser's storage.
  expect(state().trace?.name).toBe("a.csv");
  await actions.openKept("hash of a.csv");
  expect(state().notices[0]?.text).toBe(
    "The trace cannot be opened: it is not kept in this browser.",
  );
});

test("opening_a_kept_trace_leaves_the_screen_that_the_user_chose_meanwhile", async () => {
  const { actions, engine, state } = await withImport();
  const release = engine.hold("run");
  const opening = actions.openKept("hash of a.csv");
  await settle();
  await actions.open("#screen=what-if");
  release();
  await opening;
  expect(state()).toMatchObject({
    screen: "what-if",
    trace: { name: "a.csv" },
    stale: false,
  });
  // From a screen that the user does not leave, it opens the replay.
  await actions.openKept("hash of a.csv");
  expect(state().screen).toBe("replay");
});

test("shipped_and_generated_traces_are_not_kept", async () => {
  const { actions, engine, state } = await startApp();
  await actions.generateTrace({ workload: { id: "uniform", params: {} } });
  await settle();
  expect(engine.log).not.toContain("save");
  expect(state().hash).toBeUndefined();
});

test("a_deleted_trace_can_be_put_back_until_all_are_deleted", async () => {
  const { actions, state } = await withImport();
  await actions.deleteKept("hash of a.csv");
  expect(state()).toMatchObject({ kept: [], deleted: { name: "a.csv" } });
  await actions.putBack();
  expect(state().kept?.map(({ name }) => name)).toEqual(["a.csv"]);
  expect(state().deleted).toBeUndefined();
  await actions.deleteKept("hash of a.csv");
  await actions.deleteAllKept();
  await actions.putBack();
  expect(state()).toMatchObject({ kept: [], deleted: undefined });
});

test("a_list_that_cannot_be_read_says_why", async () => {
  const app = await withImport();
  app.kept.failure = "not-allowed";
  await app.actions.loadKept();
  expect(app.state()).toMatchObject({ kept: [], notices: [] });
  expect(app.state().keptProblem).toBe(
    "No traces can be kept: this browser stores nothing for this page, as in a private window or with blocked cookies.",
  );
  app.kept.failure = undefined;
  await app.actions.loadKept();
  expect(app.state().keptProblem).toBeUndefined();
});
