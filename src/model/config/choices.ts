/** The core's lists as choices of a form, with their words. */
import type { Inclusion } from "../../engine/generated/Inclusion";
import type { Index } from "../../engine/generated/Index";
import { INCLUSIONS, INDEXES } from "../../engine/generated/words";

export const INDEX_WORDS: Readonly<Record<Index, string>> = {
  "low-bits": "low bits",
  xor: "xor",
};

export const INDEX_CHOICES = INDEXES.map((value) => ({
  value,
  word: INDEX_WORDS[value],
}));

const INCLUSION_WORDS: Readonly<Record<Inclusion, string>> = {
  nine: "neither",
  inclusive: "inclusive",
  exclusive: "exclusive",
};

export const INCLUSION_CHOICES = INCLUSIONS.map((value) => ({
  value,
  word: INCLUSION_WORDS[value],
}));
