/** What is said about calls of allocators that found no room. */
import { memorySize } from "../shared/format";
import type { ProgramAbout } from "./about";
import { PROGRAM_LIMITS } from "./program";

/** The most sentences. */
const MOST = 3;

/** `nulls` has the bytes that were asked for last, by site. */
export function nullsOf(
  { sites, places }: Pick<ProgramAbout, "sites" | "places">,
  nulls: ReadonlyMap<number, number>,
): readonly string[] {
  return [...nulls].slice(0, MOST).map(([site, bytes]) => {
    const kind = sites[site]?.[0] ?? "malloc";
    const line = places[site]?.[1] ?? 0;
    const where = line > 0 ? `Line ${line}: ` : "";
    const most = memorySize(PROGRAM_LIMITS.memory);
    return `${where}${kind} had no room for ${memorySize(bytes)} and returned a null pointer. A program gets at most ${most} of memory.`;
  });
}
