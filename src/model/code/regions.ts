/** The memory of the programs on the screen, for policies of single regions. */
import type { RegionView } from "../../engine/generated/RegionView";
import type { CodeState } from "./code";

const NONE: readonly never[] = [];

/** The regions of the last runs. Two programs that have a region in common list it once. */
export function programRegions(
  code: Pick<CodeState, "programs"> | undefined,
): readonly RegionView[] {
  const [first, second] = (code?.programs ?? []).map(
    ({ shown }) => shown?.trace.regions ?? NONE,
  );
  if (!first || !second) return first ?? NONE;
  const isKnown = ({ name, start, end }: RegionView) =>
    first.some(
      (other) =>
        other.name === name && other.start === start && other.end === end,
    );
  return [...first, ...second.filter((region) => !isKnown(region))];
}
