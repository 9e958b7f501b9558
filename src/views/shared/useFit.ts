/** Which columns of a table fit into its box. Those that matter least are left out; the table says which. */
import { useLayoutEffect, useState } from "react";
import type { RefObject } from "react";

export interface Ranked {
  readonly id: string;
  /** The highest goes first, equal ones together; without one a column always stays. */
  readonly rank?: number | undefined;
}

/**
 * The columns that are left out, by their ids: so many that the table is no wider than its box, before anything is
 * painted. The box scrolls where even the rest does not fit.
 */
export function useFit(
  box: RefObject<HTMLElement | null>,
  columns: readonly Ranked[],
): ReadonlySet<string> {
  const key = columns.map(({ id, rank = "" }) => `${id} ${rank}`).join();
  const [state, setState] = useState({ key, gone: 0, width: 0 });
  const gone = state.key === key ? state.gone : 0;
  const ranks = [...new Set(columns.flatMap(({ rank }) => rank ?? []))];
  const least = ranks.sort((a, b) => b - a)[gone - 1] ?? Infinity;
  const most = ranks.length;
  // After every draw, since what rows hold changes the width; each leaves one rank more out, up to the last.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || gone >= most) return;
    // A pixel of rounding is no overflow. Only the layout knows it, and it must be known before painting.
    if (element.scrollWidth > element.clientWidth + 1)
      // eslint-disable-next-line react-hooks/set-state-in-effect
      setState((old) => ({ ...old, key, gone: gone + 1 }));
  });
  useLayoutEffect(() => {
    const element = box.current;
    // jsdom has no ResizeObserver: everything fits.
    if (!element || !("ResizeObserver" in window)) return;
    const observer = new ResizeObserver(() => {
      const width = element.clientWidth;
      setState((old) =>
        old.width === width ? old : { ...old, gone: 0, width },
      );
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  const isOut = ({ rank }: Ranked) => rank !== undefined && rank >= least;
  return new Set(columns.filter(isOut).map(({ id }) => id));
}
