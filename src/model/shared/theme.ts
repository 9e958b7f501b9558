/** The design tokens that pictures on a canvas read; styles and SVG use them through `var()`. */

/** A custom property of the style sheet. */
export type Token = `--${string}`;

/** Density of accesses, from none to most. */
export const HEAT: readonly Token[] = [
  "--heat0",
  "--heat1",
  "--heat2",
  "--heat3",
  "--heat4",
];
/** Age of a TLB entry, from recent to old. */
export const AGE: readonly Token[] = ["--age0", "--age1", "--age2", "--age3"];
/** The cache that served a page-table reference, from the nearest one to DRAM. */
export const SERVED: readonly Token[] = [
  "--ref1",
  "--ref2",
  "--ref3",
  "--ref4",
];

/** A page size's colour by its rank among the machine's sizes, smallest first. */
export function pageSizeToken(rank: number): Token {
  return rank <= 0 ? "--p4k" : rank === 1 ? "--p2m" : "--p1g";
}
