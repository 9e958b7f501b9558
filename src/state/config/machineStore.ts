/** The storage of saved machines across reloads. It fails with a `KeepError`. */
import type { SavedMachine } from "../../model/config/savedMachine";

export interface MachineStore {
  /** The saved machines, newest first. */
  list(): Promise<readonly SavedMachine[]>;
  /** Replaces the machine with the same id. */
  put(machine: SavedMachine): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface MachinesState {
  /** Newest first; `undefined` until they are read. */
  readonly list: readonly SavedMachine[] | undefined;
  /** Why this browser cannot save machines, if so. */
  readonly problem: string | undefined;
  /** The machine that was deleted last, which can be restored. */
  readonly deleted: SavedMachine | undefined;
}

export const NO_MACHINES: MachinesState = {
  list: undefined,
  problem: undefined,
  deleted: undefined,
};
