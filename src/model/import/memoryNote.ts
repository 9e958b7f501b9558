/** What a memory map says about the open trace, in words. */
import type { TraceView } from "../../engine/generated/TraceView";
import { recordedText } from "../config/recorded";
import { count, counted } from "../shared/format";

/** `smaps names 312 of 320 used pages of “sort.lackey”. 2 ranges of memory had larger pages …` */
export function memoryNote(
  file: string,
  { name, regions, recorded }: TraceView,
): string {
  const sum = (of: "pages" | "recorded") =>
    regions.reduce((all, region) => all + region[of], 0);
  const named = `“${file}” names ${count(sum("recorded"))} of ${counted(sum("pages"), "used page")} of “${name}”.`;
  if (sum("recorded") === 0)
    return `${named} It is probably the map of another process, or of another run.`;
  return recorded ? `${named} ${recordedText(recorded)}` : named;
}
