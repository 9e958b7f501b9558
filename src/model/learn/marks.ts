/** The marks of a text: objects of the pictures. Each has a card of the glossary, too. */
import type { TermId } from "../glossary/terms";
import type { ADDRESS_OBJECTS, OBJECTS } from "../replay/parts";
import type { PictureObject } from "../replay/parts";

type Named = (typeof OBJECTS)[number] | (typeof ADDRESS_OBJECTS)[number];

const TERMS: Readonly<Record<Named, TermId>> = {
  "array-l1": "tlb",
  "array-l2": "stlb",
  "set-l1": "set",
  "set-l2": "set",
  "entry-l1": "entry",
  "entry-l2": "entry",
  "victim-l1": "evict",
  "victim-l2": "evict",
  cache: "walk-cache",
  walk: "page-walk",
  frame: "frame",
  cycles: "translation-cycles",
  touch: "first-touch",
  "page-number": "page-number",
  offset: "offset",
  tag: "tag",
  "set-bits": "index",
};

const NUMBERED = /^(?:level|index)-[1-5]$/;

/** The object that a mark names; `undefined` if there is none. */
export function markOf(mark: string): PictureObject | undefined {
  const isKnown = mark in TERMS || NUMBERED.test(mark);
  // Both checks together name exactly the objects.
  return isKnown ? (mark as PictureObject) : undefined;
}

export function termOf(object: PictureObject): TermId {
  return object in TERMS ? TERMS[object as Named] : "level";
}

/** The objects that drawn elements show, from their attributes `data-object` and `data-level`. */
export function shownIn(html: string): ReadonlySet<string> {
  const tokens = (attribute: string) =>
    [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].flatMap(
      ([, list = ""]) => list.split(" "),
    );
  return new Set([
    ...tokens("data-object"),
    ...tokens("data-level").map((level) => `level-${level}`),
  ]);
}
