/** Numbers of any size in experiments: counts of 10⁹, rates of 10⁻³. */
import { count, fixed, NONE, superscript } from "./format";

/** Significant digits of a number that is not whole. */
const DIGITS = 4;

/** Whole numbers in full, others with four significant digits: `195,312.5`, `0.9590`, `0.003906`. */
export function quantity(n: number): string {
  if (!Number.isFinite(n)) return NONE;
  if (Number.isInteger(n)) return count(n);
  return fixed(n, decimalsFor(n));
}

/** All digits of a number, for a tooltip. */
export function exact(n: number): string {
  if (!Number.isFinite(n)) return NONE;
  const size = Math.abs(n);
  if (Number.isInteger(n)) return count(n);
  // Beyond these, `String` would write an exponent.
  if (size < 1e-6) return fixed(n, 20).replace(/0+$/, "");
  const [, fraction = ""] = String(size).split(".");
  return fixed(n, Math.min(20, fraction.length));
}

/** A number with its sign: `+0.33`, `−12`. */
export function signed(n: number): string {
  return n > 0 ? `+${quantity(n)}` : quantity(n);
}

/** A power of ten: `10³`, `10⁻⁵`. */
export function powerOfTen(exponent: number): string {
  const digits = superscript(Math.abs(exponent));
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

function decimalsFor(n: number): number {
  const before = Math.floor(Math.log10(Math.abs(n))) + 1;
  return Math.min(14, Math.max(1, DIGITS - before));
}
