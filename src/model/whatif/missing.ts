/** Traces that cannot answer what-if questions, and why. */
import type { TraceView } from "../../engine/generated/TraceView";

export interface Missing {
  readonly title: string;
  readonly text: string;
}

/**
 * The text in place of the curves; `undefined` if the trace has curves. `isGated`: samples that are not
 * replayed.
 */
export function curvesMissing(
  { n_accesses: n, samples, import: { completeness } }: TraceView,
  isGated: boolean,
): Missing | undefined {
  if (n === 0)
    return {
      title: "The trace has no accesses",
      text: "Another machine would have nothing to miss.",
    };
  if (completeness === "first-touches")
    return {
      title: "First touches have no curves",
      text: `The trace has each page once, at its first use. It does not show which pages are used again and how soon, so every machine has the same misses: one per page. ${samples === undefined ? "" : "The screen “Samples” shows how full 2M ranges are. "}Record all accesses to see what a larger TLB or larger pages would do.`,
    };
  if (isGated || completeness === "latency-filtered")
    return {
      title: "Samples have no curves",
      text: "Accesses between two samples are not recorded, so the number of pages between two uses of a page is unknown, and curves would be wrong by any factor. The screen “Samples” shows what samples can say, with hit rates of a model. Record all accesses, or all of a short time, for curves.",
    };
  return undefined;
}
