import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keptTraces } from "../../src/app/keptTraces";
import type { KeptTrace } from "../../src/state/kept";
import "fake-indexeddb/auto";

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => vi.unstubAllGlobals());

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
  const first = keptTraces();
  await first.put(trace("a", 1), file);
  await first.put(trace("b", 2), file);
  await first.put(trace("a", 3), file);
  const second = keptTraces();
  expect(await second.list()).toEqual([trace("a", 3), trace("b", 2)]);
  expect((await second.get("a"))?.trace).toEqual(trace("a", 3));
  expect((await second.get("a"))?.file).toBeDefined();
  expect(await second.get("c")).toBeUndefined();
});

test("traces_are_removed_with_their_files", async () => {
  const kept = keptTraces();
  for (const hash of ["a", "b", "c"]) await kept.put(trace(hash, 1), file);
  await kept.remove("a");
  expect((await kept.list()).map(({ hash }) => hash)).toEqual(["b", "c"]);
  await kept.clear();
  expect(await kept.list()).toEqual([]);
  expect(await kept.get("b")).toBeUndefined();
});

test("a_trace_without_room_is_refused_and_the_others_stay", async () => {
  const kept = keptTraces();
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
  const refuse = (error: Error) =>
    vi.stubGlobal("indexedDB", {
      open: () => {
        throw error;
      },
    });
  refuse(new DOMException("No.", "SecurityError"));
  await expect(keptTraces().list()).rejects.toMatchObject({
    why: "not-allowed",
  });
  refuse(new Error("Disk on fire."));
  await expect(keptTraces().list()).rejects.toMatchObject({
    why: "failed",
    message: "Disk on fire.",
  });
  vi.stubGlobal("indexedDB", undefined);
  await expect(keptTraces().list()).rejects.toMatchObject({
    why: "not-allowed",
  });
});

test("a_database_of_a_newer_version_is_left_alone", async () => {
  (await openDB("pagewalk", 99)).close();
  await expect(keptTraces().list()).rejects.toMatchObject({ why: "newer" });
});

test("a_newer_version_in_another_tab_may_upgrade_the_database", async () => {
  const kept = keptTraces();
  await kept.put(trace("a", 1), file);
  const newer = await openDB("pagewalk", 99, { upgrade: () => undefined });
  expect([...newer.objectStoreNames]).toEqual(["files", "traces"]);
  newer.close();
  await expect(kept.list()).rejects.toMatchObject({ why: "newer" });
});
