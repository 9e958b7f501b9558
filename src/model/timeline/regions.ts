/** The names of a timeline's regions, made unique by their start, and how each region is known. */
import type { RegionView } from "../../engine/generated/RegionView";
import { count, counted } from "../shared/format";
import { hex } from "../shared/hex";

/** The digits that fit a label. */
const ROOM = 5;

const digitsOf = ({ start }: RegionView) => hex(start).slice(2);

function twins(region: RegionView, regions: readonly RegionView[]) {
  return regions.filter(
    (other) => other !== region && other.name === region.name,
  );
}

/**
 * As many digits of the start as distinguish the region from others with its name, `0x48…`; `null` if its
 * name is unique.
 */
export function shortStart(
  region: RegionView,
  regions: readonly RegionView[],
): string | null {
  const others = twins(region, regions).map(digitsOf);
  if (others.length === 0) return null;
  const own = digitsOf(region);
  const common = (other: string) => {
    const end = Array.from(own, (digit, at) => other[at] === digit).indexOf(
      false,
    );
    return end < 0 ? own.length : end;
  };
  const shared = Math.max(...others.map(common));
  if (own.length <= ROOM) return `0x${own}`;
  return shared < ROOM
    ? `0x${own.slice(0, Math.max(2, shared + 1))}…`
    : `…${own.slice(shared - 1, shared + 3)}…`;
}

/** The region's name, `libraries`, or `libraries at 0x4801000` if another region has the same name. */
export function regionName(
  region: RegionView,
  regions: readonly RegionView[],
): string {
  return twins(region, regions).length > 0
    ? `${region.name} at ${region.start}`
    : region.name;
}

/** How a region is known: recorded in the trace, inferred from accesses, or both. */
export type RegionKnown = "recorded" | "inferred" | "partly recorded";

export function regionKnown({
  recorded,
  pages,
}: Pick<RegionView, "recorded" | "pages">): RegionKnown {
  if (recorded === 0) return "inferred";
  return recorded >= pages ? "recorded" : "partly recorded";
}

/** How a region is known, as a sentence. */
export function regionKnownSentence(
  region: Pick<RegionView, "recorded" | "pages">,
): string {
  switch (regionKnown(region)) {
    case "recorded":
      return "From the trace’s memory map records (mmap).";
    case "inferred":
      return "Inferred: the name is guessed from the addresses and their use.";
    case "partly recorded":
      return `The trace’s memory map records (mmap) contain ${count(region.recorded)} of its ${counted(region.pages, "page")}; the rest is inferred.`;
  }
}
