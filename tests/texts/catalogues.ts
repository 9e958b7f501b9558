/** The catalogues of all languages, and what they must have in common. */
import { IntlMessageFormat } from "intl-messageformat";
import type { Language } from "../../src/model/texts/language.ts";
import { messages } from "../../src/model/texts/messages.ts";
import { cards } from "../../src/texts/en/cards.ts";
import { exercise } from "../../src/texts/en/exercise.ts";
import { help } from "../../src/texts/en/help.ts";
import { learn } from "../../src/texts/en/learn.ts";
import { nav } from "../../src/texts/en/nav.ts";
import { welcome } from "../../src/texts/en/welcome.ts";
import { cards as cardsZh } from "../../src/texts/zh/cards.ts";
import { exercise as exerciseZh } from "../../src/texts/zh/exercise.ts";
import { help as helpZh } from "../../src/texts/zh/help.ts";
import { learn as learnZh } from "../../src/texts/zh/learn.ts";
import { nav as navZh } from "../../src/texts/zh/nav.ts";
import { welcome as welcomeZh } from "../../src/texts/zh/welcome.ts";
import { cards as cardsKo } from "../../src/texts/ko/cards.ts";
import { exercise as exerciseKo } from "../../src/texts/ko/exercise.ts";
import { help as helpKo } from "../../src/texts/ko/help.ts";
import { learn as learnKo } from "../../src/texts/ko/learn.ts";
import { nav as navKo } from "../../src/texts/ko/nav.ts";
import { welcome as welcomeKo } from "../../src/texts/ko/welcome.ts";

export type Catalogue = Readonly<Record<string, string>>;

const flat = ({ screens, ...rest }: typeof nav): Catalogue => ({
  ...rest,
  ...Object.fromEntries(
    Object.entries(screens).map(([id, text]) => [`screens.${id}`, text]),
  ),
});

/** Each catalogue under its file, in each language. */
export const CATALOGUES: Readonly<
  Record<string, Readonly<Record<Language, Catalogue>>>
> = {
  nav: { en: flat(nav), zh: flat(navZh), ko: flat(navKo) },
  help: { en: help, zh: helpZh, ko: helpKo },
  welcome: { en: welcome, zh: welcomeZh, ko: welcomeKo },
  learn: { en: learn, zh: learnZh, ko: learnKo },
  exercise: { en: exercise, zh: exerciseZh, ko: exerciseKo },
  cards: { en: cards, zh: cardsZh, ko: cardsKo },
};

export const sayWelcome = messages("en", welcome);
export const sayLearn = messages("en", learn);
export const sayCards = messages("en", cards);

type Node = ReturnType<IntlMessageFormat["getAst"]>[number];

/** The arguments of a message, with the words that select a form: `n: one other`. */
export function argumentsOf(message: string, language: Language): string[] {
  const found = new Set<string>();
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if ("options" in node) {
        const words = Object.keys(node.options).sort();
        found.add(`${node.value}: ${words.join(" ")}`);
        for (const { value } of Object.values(node.options)) visit(value);
      } else if ("value" in node && node.type.valueOf() !== 0)
        found.add(node.value);
    }
  };
  visit(
    new IntlMessageFormat(message, language, undefined, {
      ignoreTag: true,
    }).getAst(),
  );
  return [...found].sort();
}

/** The arguments of a message without forms, and the plurals that lack a form of the language or have another one. */
export function formsOf(message: string, language: Language) {
  const needed = new Intl.PluralRules(language)
    .resolvedOptions()
    .pluralCategories.toSorted();
  const all = argumentsOf(message, language);
  const isPlural = (words: string) =>
    /(^| )(one|few|many|other)( |$)/.test(words);
  const wrong = all.filter((each) => {
    const [, words = ""] = each.split(": ");
    const forms = words.split(" ").filter((word) => !word.startsWith("="));
    const isSelect = forms.some(
      (word) => !/^(zero|one|two|few|many|other)$/.test(word),
    );
    return isPlural(words) && !isSelect && forms.join() !== needed.join();
  });
  return { names: all.map((each) => each.split(": ")[0]), wrong };
}

/** The terms that a text marks, in order. */
export function marksOf(text: string): { words: string; term: string }[] {
  return [...text.matchAll(/\[([^\]]+)\]\(([a-z-]+)\)/g)].map(
    ([, words = "", term = ""]) => ({ words, term }),
  );
}
