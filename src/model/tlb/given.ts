/** The entries that a TLB has before the first access, as a textbook prints them. */
import type { Given } from "../../engine/generated/Given";
import type { MachineView } from "../../engine/generated/MachineView";

/** The page numbers of the given entries. */
export function givenKeys(
  given: Given | undefined,
  { structures }: Pick<MachineView, "structures">,
): ReadonlySet<bigint> {
  const keys = (given?.tlb ?? []).flatMap(
    ({ array, page, set, tag, valid = true }) => {
      if (!valid) return [];
      if (page !== undefined) return [BigInt(page)];
      const sets = (
        structures.find(({ name }) => name === array) ?? structures[0]
      )?.sets;
      if (tag === undefined || sets === undefined) return [];
      return [BigInt(tag) * BigInt(sets) + BigInt(set ?? "0x0")];
    },
  );
  return new Set(keys);
}
