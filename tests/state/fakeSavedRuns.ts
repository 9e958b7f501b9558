/** Saved runs in memory, which can be made to fail. */
import type { SavedRun } from "../../src/model/compare/savedRun";
import { KeepError } from "../../src/state/import/kept";
import type { KeepFailure } from "../../src/state/import/kept";
import type { SavedRuns } from "../../src/state/compare/savedRuns";

export interface FakeSavedRuns extends SavedRuns {
  /** If set, every call fails with this reason. */
  failure: KeepFailure | undefined;
}

export function fakeSavedRuns(): FakeSavedRuns {
  const all = new Map<string, SavedRun>();
  const check = async () => {
    await Promise.resolve();
    if (fake.failure) throw new KeepError(fake.failure, "It broke");
  };
  const fake: FakeSavedRuns = {
    failure: undefined,
    list: async () => {
      await check();
      return [...all.values()].sort((a, b) => b.date - a.date);
    },
    put: async (runs) => {
      await check();
      for (const run of runs) all.set(run.id, run);
    },
    change: async (id, part) => {
      await check();
      const run = all.get(id);
      if (run) all.set(id, { ...run, ...part });
      return run !== undefined;
    },
    remove: async (ids) => {
      await check();
      for (const id of ids) all.delete(id);
    },
  };
  return fake;
}
