/** The parts of a sentence: text, terms that a card explains, and objects that also stand in a picture. */
import type { TermId } from "../glossary/terms";

/** What a sentence and the pictures both name. `l1` and `l2` are the levels of the TLB. */
export const OBJECTS = [
  "array-l1",
  "array-l2",
  "set-l1",
  "set-l2",
  "entry-l1",
  "entry-l2",
  "victim-l1",
  "victim-l2",
  "cache",
  "walk",
  "frame",
  "cycles",
  "touch",
] as const;

/** Parts of the address, which lessons name. */
export const ADDRESS_OBJECTS = [
  "page-number",
  "offset",
  "tag",
  "set-bits",
] as const;

export type PictureObject =
  | (typeof OBJECTS)[number]
  | (typeof ADDRESS_OBJECTS)[number]
  | `level-${number}`
  | `index-${number}`;

/** Where the words stand: the sentence is short without `detail`, and the band shows `repeated` parts already. */
export type Rank = "main" | "detail" | "repeated";

interface Placed {
  readonly text: string;
  readonly rank: Rank;
  /** The number of the translation; missing = all of them. */
  readonly of?: number;
}

export type Part = Placed &
  (
    | { readonly kind: "text" }
    | { readonly kind: "term"; readonly term: TermId }
    | {
        readonly kind: "object";
        readonly term: TermId;
        readonly objects: readonly PictureObject[];
        /** The TLB array that has the object, if it has one. */
        readonly structure?: number;
      }
  );

type Words = string | Part | readonly Part[];

export function term(text: string, term: TermId): Part {
  return { kind: "term", text, term, rank: "main" };
}

export function object(
  text: string,
  term: TermId,
  ...objects: readonly PictureObject[]
): Part {
  return { kind: "object", text, term, objects, rank: "main" };
}

/** An object inside a TLB array. */
export function inArray(structure: number, part: Part): Part {
  return part.kind === "object" ? { ...part, structure } : part;
}

/** A template of parts: say`every ${term("TLB", "tlb")} missed`. */
export function say(
  texts: readonly string[],
  ...words: readonly Words[]
): Part[] {
  return texts.flatMap((text, at) => [...plain(text), ...plain(words[at])]);
}

function plain(words: Words | undefined): readonly Part[] {
  if (words === undefined || words === "") return [];
  if (typeof words === "string")
    return [{ kind: "text", text: words, rank: "main" }];
  return "kind" in words ? [words] : words;
}

/** Parts in a list: `a`, `a and b`, `a, b and c`. */
export function listParts(items: readonly (readonly Part[])[]): Part[] {
  return items.flatMap((item, at) =>
    at === 0
      ? item
      : at === items.length - 1
        ? say` and ${item}`
        : say`, ${item}`,
  );
}

/** The parts with a rank of their own, unless one of them has another rank already. */
export function ranked(rank: Rank, parts: readonly Part[]): Part[] {
  return parts.map((part) => (part.rank === "main" ? { ...part, rank } : part));
}

export function ofTranslation(of: number, parts: readonly Part[]): Part[] {
  return parts.map((part) => ({ ...part, of }));
}

/** All words, as screen readers get them. */
export function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join("");
}

/** What the band shows of a sentence, for one translation: without what the band repeats, and without details if it must be short. */
export function shownParts(
  parts: readonly Part[],
  which: number,
  short: boolean,
): Part[] {
  return parts.filter(
    ({ rank, of = which }) =>
      of === which && rank !== "repeated" && !(short && rank === "detail"),
  );
}
