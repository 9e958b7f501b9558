/** The page sizes of a recording, in words. */
import type { RecordedView } from "../../engine/generated/RecordedView";
import { counted } from "../shared/format";

/** `3 ranges of larger pages`, or `all memory 2M`. */
export function rangesText({
  n_ranges: n,
  others,
}: Pick<RecordedView, "n_ranges" | "others">): string {
  if (n === 0) return `all memory ${others}`;
  return counted(n, "range of larger pages", "ranges of larger pages");
}

/** What memory has with these pages, in a sentence. */
export function recordedText({
  n_ranges: n,
  others,
}: Pick<RecordedView, "n_ranges" | "others">): string {
  if (n === 0)
    return `All memory of the recorded program had pages of ${others}.`;
  return `${counted(n, "range")} of memory had larger pages when the program was recorded, and ${n === 1 ? "has" : "have"} them here. All other memory has pages of ${others}.`;
}

/** How many ranges are listed. */
export const LISTED_RANGES = 12;

/** The ranges that are not listed, in words; empty if there are none. */
export function moreRanges({ n_ranges: n }: Pick<RecordedView, "n_ranges">) {
  return n > LISTED_RANGES
    ? `and ${counted(n - LISTED_RANGES, "more range")}`
    : "";
}
