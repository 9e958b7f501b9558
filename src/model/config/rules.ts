/**
 * Rules of the core that the site repeats, so that a form can answer at once: limits of numbers, and which ways a
 * replacement policy needs. The core checks them again.
 */
import type { Policy } from "../../engine/generated/Policy";

/** The most entries of an array or a cache. */
export const MOST_ENTRIES = 65_536;
/** The largest latency, in cycles. */
export const MOST_CYCLES = 100_000;

export function isPowerOfTwo(n: number): boolean {
  return Number.isInteger(Math.log2(n));
}

/** The ways that a policy needs in a set. */
interface WaysRule {
  readonly allows: (ways: number) => boolean;
  /** In words, after `needs`. */
  readonly text: string;
  /** How the policy uses them, if the number alone does not say it. */
  readonly how?: string;
}

/** Every policy once, `null` if it works with any ways: a missing policy does not compile. */
const RULES: Readonly<Record<Policy, WaysRule | null>> = {
  lru: null,
  "tree-plru": { allows: isPowerOfTwo, text: "a power of two of ways" },
  "bit-plru": null,
  "mru3-plru4": {
    allows: (ways) => ways === 12,
    text: "12 ways",
    how: "in three groups of four",
  },
  fifo: null,
  random: null,
};

// The keys of the record are the policies, so the cast is safe.
export const POLICIES = Object.keys(RULES) as readonly Policy[];

/** The rule that a number of ways breaks; `undefined` if the policy works with it. */
export function brokenRule(
  policy: Policy | undefined,
  ways: number,
): WaysRule | undefined {
  const rule = policy && RULES[policy];
  return rule && !rule.allows(ways) ? rule : undefined;
}

/** Whether a policy works for sets with this many ways. */
export function fits(policy: Policy | undefined, ways: number): boolean {
  return brokenRule(policy, ways) === undefined;
}
