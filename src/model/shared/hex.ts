/** How addresses and their bits are written. An address is `0x…` text or a bigint, never a number. */

/** An address as the engine writes it (`"0x7f3a1c2b5e48"`), or its value. */
export type Address = string | bigint;

/** Plain hex, for copying: `0x7f3a1c2b5e48`. */
export function hex(address: Address): string {
  return `0x${digitsOf(address)}`;
}

/** Groups of four digits from the right, for reading aloud: `0x7f3a 1c2b 5e48`. */
export function hexGrouped(address: Address): string {
  return hexGroups(address).join(" ");
}

/** The groups of `hexGrouped`, for a layout that spaces them itself. */
export function hexGroups(address: Address): string[] {
  const digits = digitsOf(address);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 4)
    groups.unshift(digits.slice(Math.max(0, end - 4), end));
  groups[0] = `0x${groups[0] ?? ""}`;
  return groups;
}

/** The last digits, `…2b5`; the whole number with `0x` if it is no longer. */
export function hexTail(address: Address, digits: number): string {
  const all = digitsOf(address);
  return all.length > digits ? `…${all.slice(-digits)}` : `0x${all}`;
}

/** The `bits` lowest bits as `0` and `1`, highest first: `010110101`. */
export function binary(value: Address | number, bits: number): string {
  return BigInt.asUintN(bits, BigInt(value)).toString(2).padStart(bits, "0");
}

/** Bits `shift` to `shift + bits - 1` of an address as a number; at most 32 bits. */
export function bitField(
  address: Address,
  shift: number,
  bits: number,
): number {
  return Number(
    BigInt.asUintN(Math.min(bits, 32), BigInt(address) >> BigInt(shift)),
  );
}

function digitsOf(address: Address): string {
  return (typeof address === "bigint" ? address : BigInt(address)).toString(16);
}
