/** Lists of numbers, and numbers by page size, as users type them. */
import type { PageSize } from "../../engine/generated/PageSize";
import type { Parsed } from "./ParsedField";

export type BySize = Readonly<Record<PageSize, number>>;

/** Writes `9 9 9 9`. */
export function writeNumbers(numbers: readonly number[]): string {
  return numbers.join(" ");
}

/** Reads numbers with spaces or commas between them. */
export function readNumbers(text: string): Parsed<number[]> {
  const words = wordsOf(text);
  const wrong = words.find((word) => !/^\d{1,3}$/.test(word));
  return wrong === undefined
    ? { value: words.map(Number) }
    : { problem: `“${wrong}” is not a number: write numbers such as 9 9 9 9.` };
}

/** Writes `4K: 16, 2M: 16`. */
export function writeBySize(sizes: BySize): string {
  return Object.entries(sizes)
    .map(([size, n]) => `${size}: ${n}`)
    .join(", ");
}

/** Reads pairs of a page size and a number, with `:`, `=` or a space between them. */
export function readBySize(text: string): Parsed<BySize> {
  const words = wordsOf(text.replaceAll(/[:=×]/g, " "));
  const entries: [PageSize, number][] = [];
  for (let at = 0; at < words.length; at += 2) {
    const [size = "", n = ""] = words.slice(at, at + 2);
    if (!/^\d+[KMGT]?$/i.test(size) || !/^\d{1,9}$/.test(n))
      return {
        problem: `Write pairs of a page size and a number, such as 4K: 16, not “${[size, n].join(" ").trim()}”.`,
      };
    entries.push([size.toUpperCase(), Number(n)]);
  }
  return { value: Object.fromEntries(entries) };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}
