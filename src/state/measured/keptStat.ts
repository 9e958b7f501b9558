/** The storage of perf stat's output while the tab is open. */
import type { EventFamily } from "../../engine/generated/EventFamily";

/** The output of perf stat, and the family that the user chose. */
export interface KeptStat {
  /** The file name, or a text in its place. */
  readonly name: string;
  readonly text: string;
  readonly family?: EventFamily | undefined;
}

export interface StatKeeper {
  /** `undefined` if nothing is stored. */
  get(): KeptStat | undefined;
  /** Replaces the stored output; does not store one that is too large. */
  put(stat: KeptStat | undefined): void;
}
