/**
 * How numbers are written everywhere: thousands with commas, a space before "%" and units, "–" for unknown
 * values. Addresses stay text or bigint, since JavaScript numbers cannot hold them.
 */
import type { Bytes, Cycles, Milliseconds, PageShift, Share } from "./units";

/** The text for values that are not modelled or unknown: never 0. */
export const NONE = "–";
const MINUS = "−";

/** A count: `398,306`. Fractions are rounded, since a count has none. */
export function count(n: number): string {
  if (!Number.isFinite(n)) return NONE;
  const digits = Math.abs(Math.round(n)).toFixed(0);
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ",");
  return n < 0 && grouped !== "0" ? MINUS + grouped : grouped;
}

/** A count at an axis tick, with up to seven characters: `100,000`, `10 M`. */
export function tickCount(n: number): string {
  return n >= 1_000_000 ? `${count(n / 1_000_000)} M` : count(n);
}

/** A count with its noun: `1 walk`, `3 walks`; the plural is regular unless given. */
export function counted(n: number, word: string, plural = `${word}s`): string {
  return `${count(n)} ${n === 1 ? word : plural}`;
}

/** A signed difference of counts: `+1,204`, `−12`, `0`. */
export function delta(n: number): string {
  return n > 0 ? `+${count(n)}` : count(n);
}

/** A number with commas and a fixed number of decimals: `1,204.50`. */
export function fixed(n: number, decimals: number): string {
  if (!Number.isFinite(n)) return NONE;
  const [whole = "0", fraction] = Math.abs(n).toFixed(decimals).split(".");
  const text = count(Number(whole)) + (fraction ? `.${fraction}` : "");
  return n < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/**
 * A share, `8.6 %`: two significant digits below 10 %, one decimal above, and never rounded to 0 or 100: `<
 * 0.01 %`, `> 99.9 %`, `< −99.9 %`.
 */
export function percent(share: Share): string {
  const p = share * 100;
  if (!Number.isFinite(p)) return NONE;
  const size = Math.abs(p);
  const sign = p < 0 ? MINUS : "";
  if (size === 0) return "0 %";
  if (size < 0.01) return p < 0 ? `> ${MINUS}0.01 %` : "< 0.01 %";
  if (size < 0.995) return `${sign}${size.toFixed(2)} %`;
  if (size < 99.95) return `${sign}${size.toFixed(1)} %`;
  if (size < 100) return p < 0 ? `< ${MINUS}99.9 %` : "> 99.9 %";
  return `${sign}${fixed(size, 0)} %`;
}

/** `part` of `whole` as a percentage; "–" if the whole is 0. */
export function percentOf(part: number, whole: number): string {
  return whole > 0 ? percent(part / whole) : NONE;
}

/** A mean per access, `0.46`, `12.3`, `1,204`: three significant digits, two decimals at most. */
export function mean(n: number): string {
  const size = Math.abs(n);
  if (size !== 0 && size < 0.005) return "< 0.01";
  return fixed(n, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/** Cycles with their unit: `22 cycles`. */
export function cycles(n: Cycles): string {
  return counted(n, "cycle");
}

/** Cycles in the cells of pictures: `22 cy`. */
export function cyclesShort(n: Cycles): string {
  return `${count(n)} cy`;
}

const FILE_UNITS = ["B", "kB", "MB", "GB", "TB"];
const MEMORY_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** The size of a file in powers of 1000: `48.2 MB`. */
export function fileSize(n: Bytes): string {
  return scaled(n, 1000, FILE_UNITS);
}

/** A size in memory in powers of 1024: `1.2 MiB`. */
export function memorySize(n: Bytes): string {
  return scaled(n, 1024, MEMORY_UNITS);
}

/** Bytes per second: `86 MB/s`. */
export function byteRate(n: number): string {
  return Number.isFinite(n) ? `${scaled(n, 1000, FILE_UNITS)}/s` : NONE;
}

/** Accesses per second: `950/s`, `1.2 M/s`. */
export function accessRate(n: number): string {
  return Number.isFinite(n)
    ? `${scaled(n, 1000, ["", "k", "M", "G"]).trim()}/s`
    : NONE;
}

/** Three significant digits once a unit is scaled; whole numbers below the first unit. */
function scaled(n: number, step: number, units: readonly string[]): string {
  if (!Number.isFinite(n)) return NONE;
  let value = n;
  let unit = 0;
  // 999.5 would print as 1,000 of the smaller unit.
  while (Math.abs(value) >= step - 0.5 && unit < units.length - 1) {
    value /= step;
    unit += 1;
  }
  const decimals = unit === 0 || Math.abs(value) >= 99.95 ? 0 : 1;
  return `${fixed(value, decimals)} ${units[unit] ?? ""}`;
}

/** A duration: `340 ms`, `2.3 s`, `1 min 05 s`, `2 h 03 min`. */
export function duration(ms: Milliseconds): string {
  if (!Number.isFinite(ms)) return NONE;
  if (ms < 999.5) return `${fixed(ms, 0)} ms`;
  const s = ms / 1000;
  if (s < 9.95) return `${fixed(s, 1)} s`;
  const whole = Math.round(s);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${count(Math.floor(whole / 3600))} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** A page size from its shift: 6 is `64`, 12 `4K`, 21 `2M`, 30 `1G`, as the engine writes it. */
export function pageSize(shift: PageShift): string {
  const step = Math.min(Math.floor(shift / 10), 4);
  return `${2 ** (shift - step * 10)}${["", "K", "M", "G", "T"][step] ?? ""}`;
}

/** Superscript digits: `³`, `¹²`. */
export function superscript(n: number): string {
  return count(n).replace(/[0-9]/g, (digit) =>
    "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit)),
  );
}

/** A range of whole numbers, both ends inclusive: `1,660 – 3,319`. */
export function range(first: number, last: number): string {
  return first === last ? count(first) : `${count(first)} – ${count(last)}`;
}

/** Capitalizes a text: `walk caches` becomes `Walk caches`. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
