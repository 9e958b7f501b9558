/** Tests that the catalogues of all languages have the same keys, arguments, marks and terms. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readCards } from "../../src/model/glossary/cards.ts";
import { isTerm, TERM_IDS } from "../../src/model/glossary/terms.ts";
import { SCREENS } from "../../src/model/permalink/permalink.ts";
import { LANGUAGES } from "../../src/model/texts/language.ts";
import { CATALOGUES, argumentsOf, formsOf, marksOf } from "./catalogues.ts";
import { lessonFiles } from "./lessons.ts";
import { cellsOf } from "../prose.ts";

const read = (file: string) => readFileSync(file, "utf8");

const all = Object.entries(CATALOGUES).flatMap(([name, languages]) =>
  LANGUAGES.map((language) => {
    const catalogue = languages[language];
    return [
      `${language}_${name}`,
      { language, english: languages.en, catalogue },
    ] as const;
  }),
);

test.each(all)("%s_has_each_key_and_a_text", (_, { english, catalogue }) => {
  expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort());
  const empty = Object.keys(catalogue).filter(
    (key) => catalogue[key]?.trim() === "",
  );
  expect(empty).toEqual([]);
});

test("the_navigation_names_every_screen", () => {
  const named = Object.keys(CATALOGUES["nav"]?.en ?? {}).filter((key) =>
    key.startsWith("screens."),
  );
  expect(named).toEqual(SCREENS.map((screen) => `screens.${screen}`));
});

test.each(all)(
  "%s_has_the_arguments_and_the_marks_of_the_english_text",
  (_, { language, english, catalogue }) => {
    for (const [key, message] of Object.entries(catalogue)) {
      const source = english[key] ?? "";
      expect(formsOf(message, language).names, key).toEqual(
        formsOf(source, "en").names,
      );
      const terms = marksOf(message).map(({ term }) => term);
      expect(terms.toSorted(), key).toEqual(
        marksOf(source)
          .map(({ term }) => term)
          .sort(),
      );
      expect(terms.filter((term) => !isTerm(term))).toEqual([]);
    }
  },
);

test.each(all)(
  "%s_has_the_plural_forms_of_its_language",
  (_, { language, catalogue }) => {
    for (const [key, message] of Object.entries(catalogue))
      expect(formsOf(message, language).wrong, key).toEqual([]);
  },
);

test("a_missing_plural_form_is_found_and_a_choice_of_words_is_none", () => {
  const wrong = (message: string, language: "en" | "ko") =>
    formsOf(message, language).wrong;
  expect(wrong("{n, plural, other {# walks}}", "en")).toEqual(["n: other"]);
  expect(wrong("{n, plural, one {a} other {# b}}", "ko")).toEqual([
    "n: one other",
  ]);
  expect(wrong("{n, plural, =0 {} one {a} other {# b}}", "en")).toEqual([]);
  expect(wrong("{n, select, load {a} other {b}}", "en")).toEqual([]);
  expect(argumentsOf("{b} {a, number} {b}", "en")).toEqual(["a", "b"]);
});

/** The rows of the table of terms: id, English, Chinese, Korean, and the words that each does not use. */
const rows = read("docs/terms-zh-ko.md")
  .split("\n")
  .filter((line) => /^\| [a-z-]+ \|/.test(line))
  .map(cellsOf)
  .filter(([id]) => id !== "id");

const namesIn = (language: string) =>
  readCards(read(`src/texts/${language}/glossary.md`)).map(({ name }) => name);

test("the_table_of_terms_has_the_names_of_the_cards", () => {
  expect(rows.map(([id]) => id)).toEqual(TERM_IDS);
  expect(rows.map(([, name]) => name)).toEqual(namesIn("en"));
  const own = (name: string) => name.replace(/\s*\([^()]*\)$/, "");
  expect(rows.map(([, , name]) => name)).toEqual(namesIn("zh").map(own));
  expect(rows.map(([, , , name]) => name)).toEqual(namesIn("ko").map(own));
  for (const at of [2, 3]) {
    const names = rows.map((row) => row[at]);
    expect(new Set(names).size).toBe(names.length);
  }
});

/** Returns whether a name has each word of the English one, in brackets or as its own. */
const hasEnglish = (name: string, english: string) =>
  english
    .split(/[ ,]+/)
    .filter((word) => word !== "and")
    .every((word) => name.includes(word));

test.each(["zh", "ko"])("names_in_%s_have_the_english_term", (language) => {
  const english = namesIn("en");
  const without = namesIn(language).filter(
    (name, at) => !hasEnglish(name, english[at] ?? ""),
  );
  expect(without).toEqual([]);
});

const first = (language: "zh" | "ko") =>
  Object.values(CATALOGUES["welcome"]?.[language] ?? {}).flatMap(marksOf);

test.each(["zh", "ko"] as const)(
  "marks_in_%s_have_the_english_term",
  (language) => {
    const without = first(language).filter(
      ({ words }) => !/[A-Za-z]{3}/.test(words),
    );
    expect(first(language).length).toBeGreaterThan(5);
    expect(without).toEqual([]);
  },
);

test.each([
  ["zh", 4],
  ["ko", 5],
] as const)("texts_in_%s_have_one_name_for_a_term", (language, column) => {
  const banned = rows.flatMap((row) =>
    [...(row[column] ?? "").matchAll(/`([^`]+)`/g)].map(
      ([, word = ""]) => word,
    ),
  );
  expect(banned.length).toBeGreaterThan(10);
  const texts = [
    ...read(`src/texts/${language}/glossary.md`)
      .split("\n")
      .filter((line) => !line.startsWith("Also: ")),
    ...Object.values(CATALOGUES).flatMap((each) =>
      Object.values(each[language]),
    ),
    ...lessonFiles(language).flatMap(({ text }) => text.split("\n")),
  ];
  const wrong = texts.flatMap((text) =>
    banned
      .filter((word) => text.includes(word))
      .map((word) => `${word}: ${text}`),
  );
  expect(wrong).toEqual([]);
});

const cardMarks = (language: string) =>
  readCards(read(`src/texts/${language}/glossary.md`)).map(({ term, text }) => [
    term,
    ...marksOf(text).map((mark) => mark.term),
  ]);

test.each(["zh", "ko"])("cards_in_%s_have_the_english_marks", (language) => {
  expect(cardMarks(language)).toEqual(cardMarks("en"));
});

/** The most characters of a card. */
const LONGEST = { zh: 165, ko: 220 };

test.each(["zh", "ko"] as const)("cards_in_%s_are_short", (language) => {
  const cards = readCards(read(`src/texts/${language}/glossary.md`));
  const long = cards.filter(
    ({ text }) => text.includes("\n") || text.length > LONGEST[language],
  );
  expect(long.map(({ term, text }) => `${term} ${text.length}`)).toEqual([]);
});
