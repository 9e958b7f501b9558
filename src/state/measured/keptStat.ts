/** What the app needs of whatever keeps perf stat's output while the tab is open. */
import type { EventFamily } from "../../engine/generated/EventFamily";

/** What perf stat printed, and whose events the user says they are. */
export interface KeptStat {
  /** Of the file, or what stands for it. */
  readonly name: string;
  readonly text: string;
  readonly family?: EventFamily | undefined;
}

export interface StatKeeper {
  /** `undefined` if none is kept. */
  get(): KeptStat | undefined;
  /** Takes the place of the one of before; what is too large is not kept. */
  put(stat: KeptStat | undefined): void;
}
