/** The axes of a chart: from values to positions, and the ticks. */
import { extent, range, ticks, tickStep } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import type { Axis } from "../../../engine/generated/Axis";
import { fixed } from "../format";
import { powerOfTen, quantity } from "../quantity";
import type { CssPixels } from "../units";

export interface Tick {
  readonly at: CssPixels;
  readonly label: string;
}

export interface AxisScale {
  readonly place: (value: number) => CssPixels;
  readonly ticks: readonly Tick[];
  /** Whether a logarithmic axis cannot show the value. */
  readonly hides: (value: number) => boolean;
}

export interface AxisRoom {
  readonly from: CssPixels;
  readonly to: CssPixels;
  /** The least distance between two labels. */
  readonly gap: CssPixels;
  /** A vertical axis starts at 0 if possible. */
  readonly zero: boolean;
}

export function axisScale(
  { label, scale }: Axis,
  values: readonly number[],
  { from, to, gap, zero }: AxisRoom,
): AxisScale {
  const most = Math.max(2, Math.floor(Math.abs(to - from) / gap));
  if (scale === "linear") {
    const [low = 0, high = 1] = extent(values);
    const end = high === low ? low + 1 : high;
    const linear = scaleLinear().range([from, to]);
    if (zero) linear.domain([Math.min(0, low), end]).nice(most);
    else linear.domain([low, end]);
    const [least = 0, last = 1] = linear.domain();
    const n = tickCount(least, last, most);
    return {
      place: (value) => rounded(linear(value)),
      hides: () => false,
      ticks: ticks(least, last, n).map((value) => ({
        at: rounded(linear(value)),
        label: linearLabel(label, value, tickStep(least, last, n)),
      })),
    };
  }
  const base = scale === "log2" ? 2 : 10;
  const shown = values.filter((value) => value > 0);
  const [low = 1, high = base] = extent(shown);
  const log = (value: number) => Math.log(value) / Math.log(base);
  const power = (value: number) => Math.round(log(value) * 1e9) / 1e9;
  // A vertical axis ends at powers; a horizontal one at the points.
  const first = zero ? Math.floor(power(low)) : power(low);
  const last = zero ? Math.ceil(power(high)) : power(high);
  const end = last === first ? first + 1 : last;
  const logarithmic = scaleLog()
    .domain([base ** first, base ** end])
    .range([from, to]);
  const powers = range(Math.ceil(first), Math.floor(end) + 1);
  const step = stepOf(powers.length, most);
  return {
    place: (value) => rounded(logarithmic(value)),
    hides: (value) => value <= 0,
    ticks: powers
      .filter((power) => power % step === 0 || powers.length <= most)
      .map((power) => ({
        at: rounded(logarithmic(base ** power)),
        label: powerLabel(label, base, power, powers),
      })),
  };
}

/** A hundredth of a pixel is precise enough. */
const rounded = (n: number) => Math.round(n * 100) / 100 + 0;

/** d3 treats the number of ticks as a hint and may return twice as many. */
function tickCount(least: number, last: number, most: number): number {
  let n = most;
  while (n > 1 && ticks(least, last, n).length > most + 1) n -= 1;
  return n;
}

/** Keeps every nth power, so that at most `most` remain. */
function stepOf(n: number, most: number): number {
  return [1, 2, 3, 4, 5, 10].find((step) => n / step <= most) ?? 20;
}

const isBytes = (label: string) => label.startsWith("bytes");

function linearLabel(label: string, value: number, step: number): string {
  if (isBytes(label)) return binarySize(value);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return fixed(value, Math.min(12, decimals));
}

function powerLabel(
  label: string,
  base: number,
  power: number,
  powers: readonly number[],
): string {
  if (base === 2)
    return isBytes(label) ? binarySize(2 ** power) : quantity(2 ** power);
  // Plain numbers only if all of them are short.
  const isShort = powers.every((each) => each >= -2 && each <= 4);
  return isShort ? fixed(10 ** power, Math.max(0, -power)) : powerOfTen(power);
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** A short power of two in bytes: `4 KiB`. */
export function binarySize(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${quantity(value)} ${UNITS[unit] ?? ""}`;
}

/** The full value on an axis, `100,000,000`, with its memory size if it is one. */
export function axisValue({ label, scale }: Axis, value: number): string {
  const text = quantity(value);
  return isBytes(label) && scale !== "log10" && value >= 1024
    ? `${binarySize(value)} (${text})`
    : text;
}
