/** Which traces say nothing of other machines, and why. */
import type { TraceView } from "../../engine/generated/TraceView";

export interface Missing {
  readonly title: string;
  readonly text: string;
}

/** What stands in the place of curves; `undefined` of a trace that has them. `isGated`: samples that are not replayed. */
export function curvesMissing(
  { n_accesses: n, samples, import: { completeness } }: TraceView,
  isGated: boolean,
): Missing | undefined {
  if (n === 0)
    return {
      title: "The trace has no accesses",
      text: "There is nothing that another machine could miss.",
    };
  if (completeness === "first-touches")
    return {
      title: "First touches have no curves",
      text: `The trace has each page once, when it was first used. Which pages are used again, and how soon, is not in it: every machine has the same misses of these, one per page. ${samples === undefined ? "" : "The screen “Samples” tells how full ranges of 2M are. "}Record all accesses to see what a larger TLB or larger pages would do.`,
    };
  if (isGated || completeness === "latency-filtered")
    return {
      title: "Samples have no curves",
      text: "Between two samples there are accesses that nobody recorded, so how many pages lie between two uses of one is not known, and curves made of them would be wrong by any factor. The screen “Samples” tells what they do say, with a model’s hit rates. Record all accesses, or a short stretch of all, for curves.",
    };
  return undefined;
}
