/** Saved machines in the browser's IndexedDB. */
import type { MachineStore } from "../../state/config/machineStore";
import type { Database } from "./database";

/** `onChange` is called after each change of the list. */
export function machineStore(
  attempt: Database,
  onChange: () => void = () => {},
): MachineStore {
  return {
    list: () =>
      attempt(async (db) => {
        const machines = await db.getAll("machines");
        return machines.sort((a, b) => b.date - a.date);
      }),
    put: (machine) =>
      attempt(async (db) => {
        await db.put("machines", machine);
      }).then(onChange),
    remove: (id) => attempt((db) => db.delete("machines", id)).then(onChange),
  };
}
