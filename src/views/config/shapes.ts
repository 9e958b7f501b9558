/** Choices and steps of the fields of arrays and caches. */
import { POLICIES } from "../../engine/generated/machineRules";

export const POLICY_CHOICES = POLICIES.map(({ id }) => ({
  value: id,
  word: id,
}));

/** Doubles or halves the sets and keeps the ways. */
export function nextEntries(entries: number, direction: 1 | -1): number {
  if (direction === 1) return entries * 2;
  return entries % 2 === 0 ? entries / 2 : entries;
}

/** The next number of ways for which the number of sets is a power of two. */
export function nextWays(
  entries: number,
  ways: number,
  direction: 1 | -1,
): number {
  for (let n = ways + direction; n >= 1 && n <= entries; n += direction)
    if (entries % n === 0 && Number.isInteger(Math.log2(entries / n))) return n;
  return ways;
}
