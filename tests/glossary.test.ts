/** The cards of the glossary: each has a text, a picture, and names that the project uses. */
import { readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { findCards, readCards } from "../src/model/glossary/cards.ts";
import { TERM_DATA, TERM_IDS, isTerm } from "../src/model/glossary/terms.ts";
import { decodePermalink } from "../src/model/permalink/permalink.ts";
import { BUILT_IN_TRACES } from "../src/state/import/traces.ts";
import { LANGUAGES } from "../src/model/texts/language.ts";
import { CardPicture } from "../src/views/glossary/CardPicture.tsx";
import {
  cellsOf,
  longSentences,
  replacedWords,
  sentencesWith,
} from "./prose.ts";
import { sayCards as say } from "./texts/catalogues.ts";

const read = (file: string) => readFileSync(file, "utf8");
const glossary = read("docs/glossary.md");
const textOf = (language: string) => read(`src/texts/${language}/glossary.md`);
const cards = readCards(textOf("en"));

/** The most words of a card. */
const MOST_WORDS = 60;

test.each(LANGUAGES)("each_term_has_one_card_in_%s", (language) => {
  const text = textOf(language);
  const ids = [...text.matchAll(/^## ([a-z-]+): /gm)].map(([, id]) => id);
  expect(ids).toEqual(TERM_IDS);
  const empty = readCards(text).filter(
    ({ name, text }) => name === "" || text === "",
  );
  expect(empty).toEqual([]);
});

test("a_card_is_one_short_paragraph", () => {
  const long = cards.filter(
    ({ text }) => text.includes("\n") || text.split(/\s+/).length > MOST_WORDS,
  );
  expect(long.map(({ term }) => term)).toEqual([]);
  expect(longSentences(textOf("en"))).toEqual([]);
});

test("names_are_terms_of_the_glossary", () => {
  const [first = "", standard = ""] = glossary.split(
    /^## (?:Standard terms|Plain words)$/m,
  );
  const named = first
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => cellsOf(line)[0]);
  const listed = [...standard.matchAll(/^- (.+)$/gm)].flatMap(([, line = ""]) =>
    line.split("; "),
  );
  const unknown = cards.filter(
    ({ name }) => !named.includes(name) && !listed.includes(name),
  );
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

test("texts_have_no_word_that_the_glossary_replaces", () => {
  expect(sentencesWith(replacedWords(glossary), textOf("en"))).toEqual([]);
});

test("see_also_names_other_cards", () => {
  const wrong = TERM_IDS.flatMap((id) =>
    TERM_DATA[id].see.filter((other) => !isTerm(other) || other === id),
  );
  expect(wrong).toEqual([]);
  const alone = TERM_IDS.filter((id) => TERM_DATA[id].see.length === 0);
  expect(alone).toEqual([]);
});

test("links_of_cards_open_a_screen_or_an_example", () => {
  const traces: string[] = BUILT_IN_TRACES.map(({ id }) => id);
  const wrong = TERM_IDS.filter((id) => {
    const { show } = TERM_DATA[id];
    if (show === undefined) return false;
    const { screen, trace } = decodePermalink(show);
    return screen === undefined && !traces.includes(trace ?? "");
  });
  expect(wrong).toEqual([]);
});

const drawn = (term: (typeof TERM_IDS)[number]) =>
  renderToStaticMarkup(createElement(CardPicture, { term, say }));

test.each(TERM_IDS)("the_picture_of_%s_lights_a_part", (term) => {
  expect(drawn(term)).toMatch(/gl-(lit|corner)/);
});

test("a_search_finds_names_before_texts", () => {
  const found = (typed: string) =>
    findCards(cards, typed).map(({ term }) => term);
  expect(found("")).toEqual(TERM_IDS);
  expect(found(" STLB ")[0]).toBe("stlb");
  expect(found("victim")[0]).toBe("evict");
  expect(found("nothing of this kind")).toEqual([]);
});

test("an_unknown_heading_is_an_error", () => {
  expect(() => readCards("\n## stlbb: STLB\n\nText.")).toThrow(
    "“## stlbb: STLB” names no term",
  );
});
