/** What the app needs of whatever keeps saved runs across reloads. It fails with a `KeepError`. */
import type { SavedRun } from "../../model/compare/savedRun";

export interface SavedRuns {
  /** The newest first. */
  list(): Promise<readonly SavedRun[]>;
  /** All of them or none; each takes the place of one with the same id. */
  put(runs: readonly SavedRun[]): Promise<void>;
  /** Changes what is stored of one; false if it is gone. */
  change(id: string, part: Partial<Omit<SavedRun, "id">>): Promise<boolean>;
  remove(ids: readonly string[]): Promise<void>;
}

export interface SavedState {
  /** The newest first; `undefined` until they are asked for. */
  readonly runs: readonly SavedRun[] | undefined;
  /** Why nothing can be saved here, if so. */
  readonly problem: string | undefined;
  /** Those that were deleted last, which can be put back. */
  readonly deleted: readonly SavedRun[];
}

export const NOTHING_SAVED: SavedState = {
  runs: undefined,
  problem: undefined,
  deleted: [],
};
