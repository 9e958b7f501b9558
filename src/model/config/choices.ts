/** The core's lists as choices of a form, with their words. */
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { Hex } from "../../engine/generated/Hex";
import type { Inclusion } from "../../engine/generated/Inclusion";
import type { Index } from "../../engine/generated/Index";
import { INCLUSIONS, INDEXES } from "../../engine/generated/words";

/** The index functions that have a name alone; masks have a list. */
type NamedIndex = Exclude<Index, object>;

export const INDEX_WORDS: Readonly<Record<NamedIndex, string>> = {
  "low-bits": "low bits",
  xor: "xor",
};

export interface IndexChoice {
  readonly value: string;
  readonly word: string;
  readonly index: Index;
}

/** The choices of an array. `masks` are its masks, or those that a user may begin with. */
export function indexChoices(masks: Index | undefined): IndexChoice[] {
  const named = INDEXES.map((value) => ({
    value,
    word: INDEX_WORDS[value],
    index: value,
  }));
  return typeof masks === "object"
    ? [...named, { value: "xor-masks", word: "masks", index: masks }]
    : named;
}

/** The value of an index function in a form. */
export function indexValue(index: Index = "low-bits"): string {
  return typeof index === "object" ? "xor-masks" : index;
}

/** The masks of an array; for another function, the masks that choose the same sets. */
export function masksOf({ index = "low-bits", entries, ways }: ArrayConfig): {
  "xor-masks": Hex[];
} {
  if (typeof index === "object") return index;
  // A form draws numbers that the core refuses, such as no ways.
  const sets = entries / (ways ?? entries);
  const bits =
    Number.isFinite(sets) && sets >= 1 ? Math.floor(Math.log2(sets)) : 0;
  return { "xor-masks": spelledMasks(index, bits) };
}

/** The masks that choose as a named function does, for sets of this many bits. */
export function spelledMasks(index: Index, bits: number): Hex[] {
  return Array.from({ length: bits }, (_, bit) => {
    const low = 1n << BigInt(bit);
    const mask = index === "xor" ? low | (low << BigInt(bits)) : low;
    return `0x${mask.toString(16)}`;
  });
}

const INCLUSION_WORDS: Readonly<Record<Inclusion, string>> = {
  nine: "neither",
  inclusive: "inclusive",
  exclusive: "exclusive",
};

export const INCLUSION_CHOICES = INCLUSIONS.map((value) => ({
  value,
  word: INCLUSION_WORDS[value],
}));
