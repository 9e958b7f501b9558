/** Keeps perf stat's output in the tab's own storage: a reload finds it, another tab does not. */
import type { KeptStat, StatKeeper } from "../../state/measured/keptStat";

const KEY = "pagewalk.stat";

export const sessionStat: StatKeeper = {
  get: () => {
    try {
      const kept = sessionStorage.getItem(KEY);
      // Only `put` writes under this key.
      return kept === null ? undefined : (JSON.parse(kept) as KeptStat);
    } catch {
      return undefined;
    }
  },
  put: (stat) => {
    try {
      // What is too large leaves nothing behind that is not on the screen.
      sessionStorage.removeItem(KEY);
      if (stat) sessionStorage.setItem(KEY, JSON.stringify(stat));
    } catch {
      // Storage may be forbidden or full: then the text lasts as long as the page.
    }
  },
};
