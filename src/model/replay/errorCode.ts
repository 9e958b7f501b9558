/** The error code of a page fault in words (SDM vol. 3, 4.7). */
import type { Hex } from "../../engine/generated/Hex";

/** `0x4` is `user, read, not present`; `0x7` is `user, write, present`. */
export function errorCodeWords(code: Hex): string {
  const has = (bit: number) => (BigInt(code) & (1n << BigInt(bit))) !== 0n;
  return [
    has(2) ? "user" : "system",
    has(4) ? "fetch" : has(1) ? "write" : "read",
    has(0) ? "present" : "not present",
    ...(has(3) ? ["reserved bit"] : []),
    ...(has(5) ? ["protection key"] : []),
  ].join(", ");
}
