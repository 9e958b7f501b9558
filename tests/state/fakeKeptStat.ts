/** Keeps perf stat's output in memory. */
import type { KeptStat, StatKeeper } from "../../src/state/measured/keptStat";

export function fakeKeptStat(): StatKeeper {
  let kept: KeptStat | undefined;
  return {
    get: () => kept,
    put: (stat) => (kept = stat),
  };
}
