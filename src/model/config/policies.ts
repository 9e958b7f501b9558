/** Which replacement policies work with how many ways: the list is the core's. */
import type { Policy } from "../../engine/generated/Policy";
import { POLICIES } from "../../engine/generated/machineRules";

/** The ways that a policy needs, in words; `undefined` if the policy works with this number of ways. */
export function neededWays(
  policy: Policy | undefined,
  ways: number,
): string | undefined {
  const info = POLICIES.find(({ id }) => id === policy);
  return info?.ways?.includes(ways) === false ? info.needs : undefined;
}

/** Returns whether a policy works for sets with this number of ways. */
export function fits(policy: Policy | undefined, ways: number): boolean {
  return neededWays(policy, ways) === undefined;
}
