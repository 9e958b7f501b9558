/** Saved runs in the browser's IndexedDB. */
import type { SavedRuns } from "../../state/compare/savedRuns";
import type { Database } from "./database";

/** `onChange` is called after each change of the list. */
export function savedRuns(
  attempt: Database,
  onChange: () => void = () => {},
): SavedRuns {
  return {
    list: () =>
      attempt(async (db) => {
        const runs = await db.getAll("runs");
        return runs.sort((a, b) => b.date - a.date);
      }),
    put: (runs) =>
      attempt(async (db) => {
        const all = db.transaction("runs", "readwrite");
        try {
          for (const run of runs) await all.store.put(run);
        } catch (thrown) {
          // The transaction stores all runs or none, and its end reports the errors.
          all.done.catch(() => undefined);
          all.abort();
          throw thrown;
        }
        await all.done;
      }).then(onChange),
    change: (id, part) =>
      attempt(async (db) => {
        const all = db.transaction("runs", "readwrite");
        const change = async () => {
          const run = await all.store.get(id);
          if (run) await all.store.put({ ...run, ...part });
          return run !== undefined;
        };
        const [isThere] = await Promise.all([change(), all.done]);
        return isThere;
      }).then((isThere) => {
        onChange();
        return isThere;
      }),
    remove: (ids) =>
      attempt(async (db) => {
        const all = db.transaction("runs", "readwrite");
        await Promise.all([...ids.map((id) => all.store.delete(id)), all.done]);
      }).then(onChange),
  };
}
