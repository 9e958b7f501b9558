/** Stores perf stat's output in the tab's session storage: a reload finds it, another tab does not. */
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
      // If the new output is too large, the old one is removed, since it is no longer on the screen.
      sessionStorage.removeItem(KEY);
      if (stat) sessionStorage.setItem(KEY, JSON.stringify(stat));
    } catch {
      // Storage may be forbidden or full: then the text lasts as long as the page.
    }
  },
};
