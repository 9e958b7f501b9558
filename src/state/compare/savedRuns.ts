/** The storage of saved runs across reloads. It fails with a `KeepError`. */
import type { SavedRun } from "../../model/compare/savedRun";

export interface SavedRuns {
  /** The saved runs, newest first. */
  list(): Promise<readonly SavedRun[]>;
  /** Stores all runs or none; each replaces the one with its id. */
  put(runs: readonly SavedRun[]): Promise<void>;
  /** Changes the stored data of a run; resolves to false if it no longer exists. */
  change(id: string, part: Partial<Omit<SavedRun, "id">>): Promise<boolean>;
  remove(ids: readonly string[]): Promise<void>;
}

export interface SavedState {
  /** Newest first; `undefined` until they are read. */
  readonly runs: readonly SavedRun[] | undefined;
  /** Why this browser cannot save runs, if so. */
  readonly problem: string | undefined;
  /** The runs that were deleted last, which can be restored. */
  readonly deleted: readonly SavedRun[];
}

export const NOTHING_SAVED: SavedState = {
  runs: undefined,
  problem: undefined,
  deleted: [],
};
