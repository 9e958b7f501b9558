/** The app's database in the browser: its stores, its versions, and why it may fail. */
import type { DBSchema, IDBPDatabase, IDBPTransaction } from "idb";
import type { SavedMachine } from "../../model/config/savedMachine";
import type { SavedRun } from "../../model/compare/savedRun";
import { KeepError } from "../../state/import/kept";
import type { KeptTrace } from "../../model/import/keptTrace";
import type { KeepFailure } from "../../state/import/kept";

interface Schema extends DBSchema {
  traces: { key: string; value: KeptTrace };
  files: { key: string; value: Blob };
  runs: { key: string; value: SavedRun };
  machines: { key: string; value: SavedMachine };
}

type Store = "traces" | "files" | "runs" | "machines";

type Upgrade = (
  db: IDBPDatabase<Schema>,
  transaction: IDBPTransaction<Schema, Store[], "versionchange">,
) => void;

/** The upgrade from each version to the next, the first from nothing. Existing steps never change. */
const UPGRADES: readonly Upgrade[] = [
  (db) => {
    db.createObjectStore("traces", { keyPath: "hash" });
    db.createObjectStore("files");
  },
  (db) => {
    db.createObjectStore("runs", { keyPath: "id" });
  },
  (db) => {
    db.createObjectStore("machines", { keyPath: "id" });
  },
];

/** Does some work on the database; every failure is a `KeepError`. */
export type Database = <T>(
  work: (db: IDBPDatabase<Schema>) => Promise<T>,
) => Promise<T>;

/** Opens the database at the first use, and again after the browser closed it. */
export function database(name = "pagewalk"): Database {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const reset = () => (opened = undefined);

  const open = () => {
    opened ??= import("idb").then(({ openDB }) =>
      openDB<Schema>(name, UPGRADES.length, {
        upgrade: (db, from, _to, transaction) => {
          for (const upgrade of UPGRADES.slice(from)) upgrade(db, transaction);
        },
        // A newer version of the app in another tab wants to upgrade: close, and open again when needed.
        blocking: (_current, _wanted, event) => {
          reset();
          (event.target as IDBDatabase).close();
        },
        terminated: reset,
      }),
    );
    opened.catch(reset);
    return opened;
  };

  return async (work) => {
    try {
      return await work(await open());
    } catch (thrown) {
      throw keepError(thrown);
    }
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
    return new KeepError("not-allowed", "This browser has no IndexedDB.");
  if (!(thrown instanceof Error))
    return new KeepError("failed", String(thrown));
  return new KeepError(FAILURES[thrown.name] ?? "failed", thrown.message);
}
