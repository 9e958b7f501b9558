/** Saved machines in memory, which can be made to fail. */
import type { SavedMachine } from "../../src/model/config/savedMachine";
import type { MachineStore } from "../../src/state/config/machineStore";
import { KeepError } from "../../src/state/import/kept";
import type { KeepFailure } from "../../src/state/import/kept";

export interface FakeMachines extends MachineStore {
  /** If set, every call fails with this reason. */
  failure: KeepFailure | undefined;
}

export function fakeMachines(): FakeMachines {
  const all = new Map<string, SavedMachine>();
  const check = async () => {
    await Promise.resolve();
    if (fake.failure) throw new KeepError(fake.failure, "It broke");
  };
  const fake: FakeMachines = {
    failure: undefined,
    list: async () => {
      await check();
      return [...all.values()].sort((a, b) => b.date - a.date);
    },
    put: async (machine) => {
      await check();
      all.set(machine.id, machine);
    },
    remove: async (id) => {
      await check();
      all.delete(id);
    },
  };
  return fake;
}
