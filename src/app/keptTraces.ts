/**
 * Imported traces in the browser's IndexedDB: what is known of each in one store, the files in another, so that a
 * list reads no file.
 */
import { openDB } from "idb";
import type { DBSchema, IDBPDatabase, IDBPTransaction } from "idb";
import { KeepError } from "../state/kept";
import type { KeepFailure, KeptTrace, KeptTraces } from "../state/kept";

interface Schema extends DBSchema {
  traces: { key: string; value: KeptTrace };
  files: { key: string; value: Blob };
}

type Upgrade = (
  db: IDBPDatabase<Schema>,
  transaction: IDBPTransaction<Schema, ("traces" | "files")[], "versionchange">,
) => void;

/** What leads from each version of the database to the next; the first from none. None is ever changed or removed. */
const UPGRADES: readonly Upgrade[] = [
  (db) => {
    db.createObjectStore("traces", { keyPath: "hash" });
    db.createObjectStore("files");
  },
];

/** Opens the database at the first use, and again after the browser closed it. */
export function keptTraces(name = "pagewalk"): KeptTraces {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const forget = () => (opened = undefined);

  const open = () => {
    opened ??= openDB<Schema>(name, UPGRADES.length, {
      upgrade: (db, from, _to, transaction) => {
        for (const upgrade of UPGRADES.slice(from)) upgrade(db, transaction);
      },
      // A newer version of the app wants to upgrade, in another tab: this one opens it again when it needs it.
      blocking: (_current, _wanted, event) => {
        forget();
        (event.target as IDBDatabase).close();
      },
      terminated: forget,
    });
    opened.catch(forget);
    return opened;
  };

  /** Does some work; whatever goes wrong is a `KeepError`. */
  async function attempt<T>(
    work: (db: IDBPDatabase<Schema>) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(await open());
    } catch (thrown) {
      throw keepError(thrown);
    }
  }

  return {
    list: () =>
      attempt(async (db) => {
        const traces = await db.getAll("traces");
        return traces.sort((a, b) => b.date - a.date);
      }),
    put: (trace, file) =>
      attempt(async (db) => {
        const both = db.transaction(["traces", "files"], "readwrite");
        // One failure fails the transaction: all of it is waited for, so that none goes unheard.
        await Promise.all([
          both.objectStore("traces").put(trace),
          both.objectStore("files").put(file, trace.hash),
          both.done,
        ]);
      }),
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
      }),
    clear: () =>
      attempt(async (db) => {
        const both = db.transaction(["traces", "files"], "readwrite");
        await Promise.all([
          both.objectStore("traces").clear(),
          both.objectStore("files").clear(),
          both.done,
        ]);
      }),
  };
}

const FAILURES: Readonly<Record<string, KeepFailure>> = {
  QuotaExceededError: "no-room",
  SecurityError: "not-allowed",
  InvalidStateError: "not-allowed",
  NotAllowedError: "not-allowed",
  VersionError: "newer",
};

function keepError(thrown: unknown): KeepError {
  if (typeof indexedDB === "undefined")
    return new KeepError("not-allowed", "There is no IndexedDB.");
  if (!(thrown instanceof Error))
    return new KeepError("failed", String(thrown));
  return new KeepError(FAILURES[thrown.name] ?? "failed", thrown.message);
}
