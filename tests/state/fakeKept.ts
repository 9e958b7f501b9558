/** Kept traces in memory, which can be made to fail. */
import type { KeptTrace } from "../../src/model/import/keptTrace";
import { KeepError } from "../../src/state/import/kept";
import type { KeepFailure, KeptTraces } from "../../src/state/import/kept";

export interface FakeKept extends KeptTraces {
  /** If set, every call fails with this reason. */
  failure: KeepFailure | undefined;
}

export function fakeKept(): FakeKept {
  const all = new Map<string, { trace: KeptTrace; file: Blob }>();
  const check = async () => {
    await Promise.resolve();
    if (fake.failure) throw new KeepError(fake.failure, "It broke");
  };
  const fake: FakeKept = {
    failure: undefined,
    list: async () => {
      await check();
      return [...all.values()].map(({ trace }) => trace).reverse();
    },
    put: async (trace, file) => {
      await check();
      all.set(trace.hash, { trace, file });
    },
    get: async (hash) => {
      await check();
      return all.get(hash);
    },
    remove: async (hash) => {
      await check();
      all.delete(hash);
    },
    clear: async () => {
      await check();
      all.clear();
    },
  };
  return fake;
}
