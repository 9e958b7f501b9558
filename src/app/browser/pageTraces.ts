/** Keeps traces as long as the page: `pagewalk open` leaves none in the browser, where another program might get its port. */
import type { KeptTraces } from "../../state/import/kept";
import type { Kept } from "../../state/replay/scene";

export function pageTraces(): KeptTraces {
  const all = new Map<string, Kept>();
  const now = <T>(work: () => T) => Promise.resolve().then(work);
  return {
    list: () =>
      now(() =>
        [...all.values()]
          .map(({ trace }) => trace)
          .sort((a, b) => b.date - a.date),
      ),
    put: (trace, file) => now(() => void all.set(trace.hash, { trace, file })),
    get: (hash) => now(() => all.get(hash)),
    remove: (hash) => now(() => void all.delete(hash)),
    clear: () => now(() => all.clear()),
  };
}
