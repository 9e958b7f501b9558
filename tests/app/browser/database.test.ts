import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { database } from "../../../src/app/browser/database";
import { keptTraces } from "../../../src/app/browser/keptTraces";
import { otherTabs } from "../../../src/app/browser/tabs";
import { machineStore } from "../../../src/app/browser/machineStore";
import type { SavedMachine } from "../../../src/model/config/savedMachine";
import { savedRuns } from "../../../src/app/browser/savedRuns";
import type { SavedRun } from "../../../src/model/compare/savedRun";
import type { KeptTrace } from "../../../src/model/import/keptTrace";
import "fake-indexeddb/auto";

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => vi.unstubAllGlobals());

const traces = () => keptTraces(database());

const trace = (hash: string, date: number): KeptTrace => ({
  hash,
  name: `${hash}.lackey`,
  format: "lackey",
  completeness: "complete",
  accesses: 3,
  bytes: 4,
  date,
});

const file = new Blob(["1234"]);

test("what_is_put_is_there_in_another_visit_the_newest_first", async () => {
  const first = traces();
  await first.put(trace("a", 1), file);
  await first.put(trace("b", 2), file);
  await first.put(trace("a", 3), file);
  const second = traces();
  expect(await second.list()).toEqual([trace("a", 3), trace("b", 2)]);
  expect((await second.get("a"))?.trace).toEqual(trace("a", 3));
  expect((await second.get("a"))?.file).toBeDefined();
  expect(await second.get("c")).toBeUndefined();
});

test("traces_are_removed_with_their_files", async () => {
  const kept = traces();
  for (const hash of ["a", "b", "c"]) await kept.put(trace(hash, 1), file);
  await kept.remove("a");
  expect((await kept.list()).map(({ hash }) => hash)).toEqual(["b", "c"]);
  await kept.clear();
  expect(await kept.list()).toEqual([]);
  expect(await kept.get("b")).toBeUndefined();
});

test("another_tab_hears_of_each_change_of_a_list", async () => {
  const [here, there] = [otherTabs("test"), otherTabs("test")];
  const heard: string[] = [];
  there.follow((list) => heard.push(list));
  const kept = keptTraces(database(), () => here.announce("traces"));
  await kept.list();
  await kept.put(trace("a", 1), file);
  await vi.waitFor(() => expect(heard).toEqual(["traces"]));
  await kept.remove("a");
  await kept.clear();
  await savedRuns(database(), () => here.announce("runs")).remove(["x"]);
  await vi.waitFor(() =>
    expect(heard).toEqual(["traces", "traces", "traces", "runs"]),
  );
  for (const tab of [here, there]) tab.close();
});

test("a_trace_without_room_is_refused_and_the_others_stay", async () => {
  const kept = traces();
  await kept.put(trace("a", 1), file);
  const put = vi
    .spyOn(IDBObjectStore.prototype, "put")
    .mockImplementation(() => {
      throw new DOMException("Full.", "QuotaExceededError");
    });
  await expect(kept.put(trace("b", 2), file)).rejects.toMatchObject({
    why: "no-room",
  });
  put.mockRestore();
  expect(await kept.list()).toEqual([trace("a", 1)]);
});

test("what_the_browser_refuses_is_told_by_its_reason", async () => {
  const fail = (error: Error) =>
    vi.stubGlobal("indexedDB", {
      open: () => {
        throw error;
      },
    });
  fail(new DOMException("No.", "SecurityError"));
  await expect(traces().list()).rejects.toMatchObject({
    why: "not-allowed",
  });
  fail(new Error("Disk on fire."));
  await expect(traces().list()).rejects.toMatchObject({
    why: "failed",
    message: "Disk on fire.",
  });
  vi.stubGlobal("indexedDB", undefined);
  await expect(traces().list()).rejects.toMatchObject({
    why: "not-allowed",
  });
});

test("a_database_of_a_newer_version_is_left_alone", async () => {
  (await openDB("pagewalk", 99)).close();
  await expect(traces().list()).rejects.toMatchObject({ why: "newer" });
});

test("a_newer_version_in_another_tab_may_upgrade_the_database", async () => {
  const kept = traces();
  await kept.put(trace("a", 1), file);
  const newer = await openDB("pagewalk", 99, { upgrade: () => undefined });
  expect([...newer.objectStoreNames]).toEqual([
    "files",
    "machines",
    "runs",
    "traces",
  ]);
  newer.close();
  await expect(kept.list()).rejects.toMatchObject({ why: "newer" });
});

// The database stores any object, so the other fields of a run do not matter.
const run = (id: string, date: number) => ({ id, date }) as SavedRun;

test("saved_runs_are_there_in_another_visit_the_newest_first", async () => {
  const first = savedRuns(database());
  await first.put([run("a", 1), run("b", 2)]);
  await first.put([run("a", 3)]);
  const second = savedRuns(database());
  expect(await second.list()).toEqual([run("a", 3), run("b", 2)]);
  await second.remove(["a"]);
  expect(await second.list()).toEqual([run("b", 2)]);
});

test("a_saved_run_is_changed_where_it_is_and_one_that_is_gone_stays_gone", async () => {
  const saved = savedRuns(database());
  await saved.put([run("a", 1)]);
  expect(await saved.change("a", { name: "new" })).toBe(true);
  expect(await saved.change("b", { name: "new" })).toBe(false);
  expect(await saved.list()).toEqual([{ ...run("a", 1), name: "new" }]);
});

test("a_database_from_before_there_were_saved_runs_keeps_its_traces", async () => {
  const before = await openDB("pagewalk", 1, {
    upgrade: (db) => {
      db.createObjectStore("traces", { keyPath: "hash" });
      db.createObjectStore("files");
    },
  });
  await before.put("traces", trace("a", 1));
  await before.put("files", file, "a");
  before.close();
  const db = database();
  expect(await savedRuns(db).list()).toEqual([]);
  await savedRuns(db).put([run("a", 1)]);
  expect((await keptTraces(db).get("a"))?.trace).toEqual(trace("a", 1));
});

test("saved_machines_are_there_in_another_visit_and_tabs_hear_of_changes", async () => {
  const machine = (id: string, date: number) => ({ id, date }) as SavedMachine;
  let changes = 0;
  const first = machineStore(database(), () => (changes += 1));
  await first.put(machine("a", 1));
  await first.put(machine("b", 2));
  await first.put(machine("a", 3));
  const second = machineStore(database());
  expect(await second.list()).toEqual([machine("a", 3), machine("b", 2)]);
  await first.remove("a");
  expect(await second.list()).toEqual([machine("b", 2)]);
  expect(changes).toBe(4);
});

test("runs_without_room_are_refused_all_together", async () => {
  const saved = savedRuns(database());
  await saved.put([run("a", 1)]);
  // The second `put` fails, because the browser has no more space.
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (
    this: IDBObjectStore,
    value: unknown,
  ) => IDBRequest<IDBValidKey>;
  let n = 0;
  const spy = vi
    .spyOn(IDBObjectStore.prototype, "put")
    .mockImplementation(function (this: IDBObjectStore, value: unknown) {
      n += 1;
      if (n === 2) throw new DOMException("Full.", "QuotaExceededError");
      return put.call(this, value);
    });
  await expect(saved.put([run("b", 2), run("c", 3)])).rejects.toMatchObject({
    why: "no-room",
  });
  spy.mockRestore();
  expect(await saved.list()).toEqual([run("a", 1)]);
});
