/** Decides which columns of a table fit. The least important are left out, and the table lists them. */
import { useLayoutEffect, useState } from "react";
import type { RefObject } from "react";

export interface Ranked {
  readonly id: string;
  /**
   * Columns with the highest rank are left out first, equal ranks together; a column without rank always
   * stays.
   */
  readonly rank?: number | undefined;
}

/**
 * Ids of the columns to leave out, so that the table fits its box before it is painted. If even the remaining
 * columns are too wide, the box scrolls.
 */
export function useFit(
  box: RefObject<HTMLElement | null>,
  columns: readonly Ranked[],
): ReadonlySet<string> {
  const key = columns.map(({ id, rank = "" }) => `${id} ${rank}`).join();
  const [state, setState] = useState({ key, gone: 0, room: "" });
  const gone = state.key === key ? state.gone : 0;
  const ranks = [...new Set(columns.flatMap(({ rank }) => rank ?? []))];
  const least = ranks.sort((a, b) => b - a)[gone - 1] ?? Infinity;
  const most = ranks.length;
  // Runs after every render, since row contents change the width. Each pass
  // leaves out one more rank.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || gone >= most) return;
    // One pixel of rounding is not overflow. The width is known only after layout, and must be known before
    // painting.
    if (element.scrollWidth > element.clientWidth + 1)
      // eslint-disable-next-line react-hooks/set-state-in-effect
      setState((old) => ({ ...old, key, gone: gone + 1 }));
  });
  useLayoutEffect(() => {
    const element = box.current;
    // jsdom has no ResizeObserver: all columns fit.
    if (!element || !("ResizeObserver" in window)) return;
    const observer = new ResizeObserver(() => {
      // Larger text needs another width: its box changes its height.
      const room = `${element.clientWidth} ${getComputedStyle(element).fontSize}`;
      setState((old) => (old.room === room ? old : { ...old, gone: 0, room }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  const isOut = ({ rank }: Ranked) => rank !== undefined && rank >= least;
  return new Set(columns.filter(isOut).map(({ id }) => id));
}
