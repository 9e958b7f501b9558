/**
 * Messages of a catalogue, in ICU MessageFormat: `{n, plural, one {# walk} other {# walks}}`. Marks, `[words](term)`,
 * become terms that open their cards.
 */
import { IntlMessageFormat } from "intl-messageformat";
import { isTerm } from "../glossary/terms";
import { say, term } from "../replay/parts";
import type { Part } from "../replay/parts";
import type { Language } from "./language";

export type Values = Readonly<Record<string, string | number>>;

/** Writes the message of a key. */
export type Say<Key extends string> = (key: Key, values?: Values) => string;

export function messages<Key extends string>(
  language: Language,
  catalogue: Readonly<Record<Key, string>>,
): Say<Key> {
  const read = new Map<Key, IntlMessageFormat>();
  return (key, values) => {
    let message = read.get(key);
    if (!message) {
      message = new IntlMessageFormat(catalogue[key], language, undefined, {
        ignoreTag: true,
      });
      read.set(key, message);
    }
    return String(message.format(values));
  };
}

const MARK = /\[([^\]]+)\]\(([a-z-]+)\)/;

/** Sentences as one paragraph. */
export function paragraph(...sentences: readonly string[]): Part[] {
  return marked(
    sentences.reduce((all, next) => `${all}${spaceAfter(all)}${next}`),
  );
}

/** The space between a text and the next one. Chinese full stops and colons are wide enough. */
export function spaceAfter(text: string): "" | " " {
  return /[。：]$/.test(text) ? "" : " ";
}

function marked(text: string): Part[] {
  // Each mark gives two pieces, its words and its term, after the text before it.
  const pieces = text.split(MARK);
  const parts: Part[] = [];
  for (let at = 0; at < pieces.length; at += 3) {
    const [before = "", words, id = ""] = pieces.slice(at, at + 3);
    parts.push(...say`${before}`);
    if (words === undefined) continue;
    if (!isTerm(id)) throw new Error(`“${id}” is no term`);
    parts.push(term(words, id));
  }
  return parts;
}
