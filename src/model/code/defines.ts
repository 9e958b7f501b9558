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
  /** The values of the slider in order, which include the value itself; missing if it adds 1. */
  readonly stops?: readonly number[];
}

const DEFINE =
  /^([ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+)(\d{1,9})(?![\w.])([^\n]*)$/gm;
const RANGE = /\/[/*].*?(\d{1,9})\s*\.\.\s*(\d{1,9})/;
/** At least three numbers: `// 256, 1536, 4096`. */
const LIST = /\/[/*]\s*(\d{1,9}(?:\s*,\s*\d{1,9}){2,})/;

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
        range: listOf(value, rest) ?? rangeOf(value, RANGE.exec(rest)),
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
  // Both ends decide, so that all values of one range have one scale.
  const doubles = isPower(low) && isPower(high) && high >= 4 * low;
  if (!doubles) return { low, high };
  const powers = Array.from(
    { length: Math.log2(high / low) + 1 },
    (_, at) => low * 2 ** at,
  );
  return { low, high, stops: withOwn(powers, value) };
}

/** The range of listed values. */
function listOf(value: number, rest: string): Range | undefined {
  const listed = LIST.exec(rest)?.[1]?.split(",").map(Number) ?? [];
  const values = [...new Set(listed)].sort((a, b) => a - b);
  const [low, high] = [values[0], values.at(-1)];
  if (low === undefined || high === undefined || low === high) return undefined;
  return { low, high, stops: withOwn(values, value) };
}

/** The stops of a slider with its value, which may lie between two of them. */
function withOwn(stops: readonly number[], value: number): readonly number[] {
  const [low = value, high = value] = [stops[0], stops.at(-1)];
  if (value < low || value > high || stops.includes(value)) return stops;
  return [...stops, value].sort((a, b) => a - b);
}

function isPower(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

/** The last position of a slider: 0 is the lowest value. */
export function lastStop({ low, high, stops }: Range): number {
  return stops ? stops.length - 1 : high - low;
}

export function stopOf({ value, range }: Define): number {
  if (!range) return 0;
  const { low, high, stops } = range;
  const inside = Math.max(low, Math.min(high, value));
  return stops ? stops.indexOf(inside) : inside - low;
}

export function valueAt({ low, stops }: Range, stop: number): number {
  return stops ? (stops[stop] ?? low) : low + stop;
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
