/** Numbers of a program that a slider changes: `#define N 512 // 64..4096`. */

export interface Define {
  readonly name: string;
  readonly value: number;
  /** From 1. */
  readonly line: number;
  /** Where the digits of the value are in the code. */
  readonly from: number;
  readonly to: number;
  /** Missing while the number has no slider. */
  readonly range?: Range | undefined;
}

export interface Range {
  readonly low: number;
  readonly high: number;
  /** Whether the slider multiplies by 2, instead of adding 1. */
  readonly doubles: boolean;
}

const DEFINE =
  /^([ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+)(\d{1,9})(?![\w.])([^\n]*)$/gm;
const RANGE = /\/[/*].*?(\d{1,9})\s*\.\.\s*(\d{1,9})/;

/** The defines of whole numbers, in their order. */
export function definesOf(code: string): readonly Define[] {
  return [...code.matchAll(DEFINE)].map(
    ({ 1: before = "", 2: name = "", 3: digits = "", 4: rest = "", index }) => {
      const from = index + before.length;
      const value = Number(digits);
      return {
        name,
        value,
        line: code.slice(0, index).split("\n").length,
        from,
        to: from + digits.length,
        range: rangeOf(value, RANGE.exec(rest)),
      };
    },
  );
}

function rangeOf(
  value: number,
  found: RegExpExecArray | null,
): Range | undefined {
  const [low, high] = [Number(found?.[1]), Number(found?.[2])];
  // The comparison is false without a range.
  if (!(low < high)) return undefined;
  const doubles = [low, high, value].every(isPower) && high >= 4 * low;
  return { low, high, doubles };
}

function isPower(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

/** The positions of a slider: 0 is the lowest value. */
export function stopsOf({ low, high, doubles }: Range): number {
  return doubles ? Math.log2(high / low) : high - low;
}

export function stopOf({ value, range }: Define): number {
  if (!range) return 0;
  const { low, high, doubles } = range;
  const inside = Math.max(low, Math.min(high, value));
  return doubles ? Math.round(Math.log2(inside / low)) : inside - low;
}

export function valueAt({ low, doubles }: Range, stop: number): number {
  return doubles ? low * 2 ** stop : low + stop;
}

/** The code with another value in a define. */
export function withValue(
  code: string,
  { from, to }: Define,
  value: number,
): string {
  return code.slice(0, from) + String(value) + code.slice(to);
}

/** The code with a range at a define, which makes it a slider: an eighth of the value to eight times as much. */
export function withSlider(code: string, { value, to }: Define): string {
  const low = Math.max(1, Math.round(value / 8));
  const high = Math.max(low + 1, value * 8);
  const end = code.indexOf("\n", to);
  const at = end < 0 ? code.length : end;
  return `${code.slice(0, at)} // ${low}..${high}${code.slice(at)}`;
}
