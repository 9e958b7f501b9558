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

/** Writes `0x1a3c 0x2b4d`. */
export function writeWords(words: readonly string[]): string {
  return words.join(" ");
}

/** Reads words with spaces or commas between them; the core checks what they mean. */
export function readWords(text: string): Parsed<readonly string[]> {
  return { value: wordsOf(text) };
}

/** Writes `PD, PT`. */
export function writeNames(names: readonly string[]): string {
  return names.join(", ");
}

/** Reads names with commas between them. */
export function readNames(text: string): Parsed<readonly string[]> {
  const names = text.split(",").map((name) => name.trim());
  return { value: names.filter((name) => name !== "") };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}
