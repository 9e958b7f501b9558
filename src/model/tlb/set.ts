/** How a page number selects its set, and how the replacement policy groups the ways of a set. */
import type { Hex } from "../../engine/generated/Hex";
import type { StructureView } from "../../engine/generated/StructureView";

/** The number of bits that select one of the sets. */
export function indexBits({ sets }: Pick<StructureView, "sets">): number {
  return Math.round(Math.log2(sets));
}

/** The index bits, `low 4 bits`, `low 7 xor next 7`; empty if there is one set. */
export function setRule({ sets, index }: StructureView): string | null {
  if (sets === 1) return null;
  const bits = indexBits({ sets });
  if (typeof index === "object") return `${bits} xor masks`;
  if (index === "xor") return `low ${bits} xor next ${bits}`;
  return bits === 1 ? "lowest bit" : `low ${bits} bits`;
}

/** The set of a page number. */
export function setOf({ sets, index }: StructureView, key: bigint): number {
  if (typeof index === "object")
    return index["xor-masks"].reduce(
      (set, mask, bit) => set + (isOdd(key & BigInt(mask)) ? 2 ** bit : 0),
      0,
    );
  const n = BigInt(sets);
  const low = key % n;
  return Number(index === "xor" ? low ^ ((key / n) % n) : low);
}

/** Whether an odd number of bits are 1. */
function isOdd(bits: bigint): boolean {
  return bits.toString(2).split("1").length % 2 === 0;
}

/** The rule in words, with the numbers of a key if one is given. */
export function setFormula(structure: StructureView, key: Hex | null): string {
  const { sets, index } = structure;
  if (sets === 1) return "fully associative: any page in any way";
  const bits = indexBits({ sets });
  if (typeof index === "object") {
    const rule = `set = ${bits} xor masks of the page number`;
    return key === null ? rule : `${rule} = ${setOf(structure, BigInt(key))}`;
  }
  const low = key === null ? null : BigInt(key) % BigInt(sets);
  const next =
    key === null ? null : (BigInt(key) / BigInt(sets)) % BigInt(sets);
  if (index === "xor") {
    const rule = `set = low ${bits} bits xor next ${bits}`;
    return low === null || next === null
      ? rule
      : `${rule} = ${low} xor ${next} = ${low ^ next}`;
  }
  const rule =
    bits === 4
      ? "set = last hex digit of the page number"
      : bits === 8
        ? "set = last 2 hex digits of the page number"
        : bits === 1
          ? "set = lowest bit of the page number"
          : `set = low ${bits} bits of the page number`;
  if (low === null) return rule;
  // Sets are decimal everywhere; here the digit is taught, so both are written.
  const digits = low.toString(16);
  const isHex = bits % 4 === 0 && digits !== String(low);
  return isHex ? `${rule}: ${digits} = ${low}` : `${rule} = ${low}`;
}

/** The address bits that select the set, lowest group first; none below `keyShift` or above `top`. */
export function setBits(
  { sets, index }: StructureView,
  keyShift: number,
  top: number,
): { high: number; low: number }[] {
  if (sets === 1) return [];
  const bits = indexBits({ sets });
  const runs =
    typeof index === "object"
      ? maskedRuns(index["xor-masks"], keyShift)
      : [{ low: keyShift, high: keyShift + bits - 1 }];
  if (index === "xor")
    runs.push({ low: keyShift + bits, high: keyShift + 2 * bits - 1 });
  return runs
    .filter(({ low }) => low <= top)
    .map(({ low, high }) => ({ low, high: Math.min(high, top) }));
}

/** The runs of neighbouring bits that some mask has. */
function maskedRuns(masks: readonly Hex[], keyShift: number) {
  const used = masks.reduce((all, mask) => all | BigInt(mask), 0n).toString(2);
  return [...used.matchAll(/1+/g)].reverse().map(({ 0: run, index }) => {
    const low = keyShift + used.length - index - run.length;
    return { low, high: low + run.length - 1 };
  });
}

/** Ways of a set that the policy treats together. */
export interface WayGroup {
  readonly from: number;
  /** The first way after the group. */
  readonly to: number;
  /** Empty if the whole set is one group. */
  readonly label: string | null;
}

/**
 * The groups of a set. `mru3-plru4` has three trees of four ways: the most recently used tree is safe, the
 * one after it has the next victim. `usedAt` is −1 for an empty way.
 */
export function wayGroups(
  structure: StructureView,
  usedAt: readonly number[],
): WayGroup[] {
  if (structure.replacement !== "mru3-plru4" || structure.ways !== 12)
    return [{ from: 0, to: structure.ways, label: null }];
  const last = usedAt.indexOf(Math.max(...usedAt));
  // An unused set starts as if tree 0 had been used last.
  const recent = (usedAt[last] ?? -1) < 0 ? 0 : Math.floor(last / 4);
  return [0, 1, 2].map((tree) => {
    const role =
      tree === recent
        ? " · used last"
        : tree === (recent + 1) % 3
          ? " · loses an entry next"
          : "";
    return { from: tree * 4, to: tree * 4 + 4, label: `group ${tree}${role}` };
  });
}
