/** An access number as a user types it. */
import { count } from "../shared/format";
import type { AccessIndex } from "../shared/units";

export type AccessNumber =
  | { readonly ok: true; readonly access: AccessIndex }
  /** What to type instead. */
  | { readonly ok: false; readonly problem: string };

/** Digits, with commas, spaces or underscores between them; from 0 to the last access. */
export function parseAccess(text: string, nAccesses: number): AccessNumber {
  const last = Math.max(0, nAccesses - 1);
  const digits = text.trim().replace(/[,_\s]/g, "");
  if (!/^\d+$/.test(digits))
    return { ok: false, problem: `Write a number from 0 to ${count(last)}` };
  const access = Number(digits);
  if (access > last)
    return { ok: false, problem: `The last access is ${count(last)}` };
  return { ok: true, access };
}
