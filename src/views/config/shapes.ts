/** The next sensible size of an array, for the arrow keys. */
import { isPowerOfTwo } from "./checks";

/** Twice as many entries keep the ways and double the sets. */
export function nextEntries(entries: number, direction: 1 | -1): number {
  if (direction === 1) return entries * 2;
  return entries % 2 === 0 ? entries / 2 : entries;
}

/** The next number of ways that makes a power of two of sets. */
export function nextWays(
  entries: number,
  ways: number,
  direction: 1 | -1,
): number {
  for (let n = ways + direction; n >= 1 && n <= entries; n += direction)
    if (entries % n === 0 && isPowerOfTwo(entries / n)) return n;
  return ways;
}
