/**
 * Imported traces in the browser's IndexedDB: their data in one store, the files in another, so that a list
 * reads no file.
 */
import type { KeptTraces } from "../../state/import/kept";
import type { Database } from "./database";

/** `onChange` is called after each change of the list. */
export function keptTraces(
  attempt: Database,
  onChange: () => void = () => {},
): KeptTraces {
  return {
    list: () =>
      attempt(async (db) => {
        const traces = await db.getAll("traces");
        return traces.sort((a, b) => b.date - a.date);
      }),
    put: (trace, file) =>
      attempt(async (db) => {
        const both = db.transaction(["traces", "files"], "readwrite");
        // One failure fails the transaction, so waiting for all requests reports every error.
        await Promise.all([
          both.objectStore("traces").put(trace),
          both.objectStore("files").put(file, trace.hash),
          both.done,
        ]);
      }).then(onChange),
    get: (hash) =>
      attempt(async (db) => {
        const both = db.transaction(["traces", "files"]);
        const [trace, file] = await Promise.all([
          both.objectStore("traces").get(hash),
          both.objectStore("files").get(hash),
          both.done,
        ]);
        return trace && file ? { trace, file } : undefined;
      }),
    remove: (hash) =>
      attempt(async (db) => {
        const both = db.transaction(["traces", "files"], "readwrite");
        await Promise.all([
          both.objectStore("traces").delete(hash),
          both.objectStore("files").delete(hash),
          both.done,
        ]);
      }).then(onChange),
    clear: () =>
      attempt(async (db) => {
        const both = db.transaction(["traces", "files"], "readwrite");
        await Promise.all([
          both.objectStore("traces").clear(),
          both.objectStore("files").clear(),
          both.done,
        ]);
      }).then(onChange),
  };
}
