/** Tests of the lessons in every language: each can be read, is short, and says what the English text says. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readCards } from "../../src/model/glossary/cards.ts";
import type { TermId } from "../../src/model/glossary/terms.ts";
import { wordsOf } from "../../src/model/learn/check.ts";
import { PARTS } from "../../src/model/learn/lesson.ts";
import { readLessonText } from "../../src/model/learn/text.ts";
import { textOf } from "../../src/model/replay/parts.ts";
import { LANGUAGES } from "../../src/model/texts/language.ts";
import type { Language } from "../../src/model/texts/language.ts";
import { readLessons } from "../../src/state/learn/lessons.ts";
import { differences, lessonFiles } from "./lessons.ts";

test.each(LANGUAGES)("lessons_in_%s_have_no_problem", (language) => {
  const files = lessonFiles(language);
  const { lessons, problems } = readLessons(files);
  expect(problems).toEqual([]);
  expect(lessons.length).toBe(files.length);
});

test("each_lesson_is_in_every_language", () => {
  const missing = readdirSync("lessons").flatMap((folder) =>
    LANGUAGES.filter(
      (language) => !existsSync(`lessons/${folder}/${language}.md`),
    ).map((language) => `lessons/${folder}/${language}.md`),
  );
  expect(missing).toEqual([]);
});

const cardsIn = (language: Language) =>
  readCards(readFileSync(`src/texts/${language}/glossary.md`, "utf8"));

const CARDS = { zh: cardsIn("zh"), ko: cardsIn("ko") };

const english = new Map(
  lessonFiles("en").map(({ folder, text }) => [
    folder,
    readLessonText(folder, text),
  ]),
);

const translated = LANGUAGES.filter((language) => language !== "en").flatMap(
  (language) =>
    lessonFiles(language).map(
      ({ folder, text }) => [`${folder}/${language}.md`, folder, text] as const,
    ),
);

test.each(translated)(
  "%s_has_the_facts_of_the_english_text",
  (file, folder, text) => {
    const source = english.get(folder);
    if (!source) throw new Error(`${folder} has no English text.`);
    expect(differences(source, readLessonText(file, text))).toEqual([]);
  },
);

test.each(translated)(
  "%s_has_the_english_term_for_each_marked_one",
  (file, folder, text) => {
    const { idea, steps } = readLessonText(file, text);
    const all = [idea, ...steps.flatMap(wordsOf)].map(textOf).join("\n");
    const marked = steps.flatMap(wordsOf).flat();
    const without = marked.flatMap((part) => {
      if (part.kind === "text") return [];
      const name = nameOf(part.term, file);
      const isNamed = /^[A-Z]/.test(name) || !part.text.includes(name);
      const hasEnglish = new RegExp(`${name} ?\\([A-Za-z]`).test(all);
      return isNamed || hasEnglish ? [] : [name];
    });
    expect([...new Set(without)], folder).toEqual([]);
  },
);

/** The name of a term in the language of a file, without the English one. */
function nameOf(term: TermId, file: string): string {
  const language = file.endsWith("zh.md") ? "zh" : "ko";
  const name = CARDS[language].find((card) => card.term === term)?.name ?? "";
  return name.replace(/\s*\(.*/, "");
}

/** The most terms that a step may name. */
const MOST_TERMS = 12;

test("a_step_names_few_terms", () => {
  const names = cardsIn("en").map(({ name }) =>
    name.replace(/ \(.*/, "").split(/, | and /),
  );
  const patterns = names.map(
    (each) => new RegExp(`(?<![\\w-])(${each.join("|")})(e?s)?(?![\\w-])`, "i"),
  );
  const most = [...english].flatMap(([folder, { steps }]) =>
    steps.flatMap((step, at) => {
      const text = wordsOf(step).map(textOf).join("\n");
      const n = patterns.filter((pattern) => pattern.test(text)).length;
      return n > MOST_TERMS ? [`${folder}, step ${at + 1}: ${n} terms`] : [];
    }),
  );
  expect(most).toEqual([]);
});

test("the_page_about_lessons_names_each_part_of_a_picture", () => {
  const page = readFileSync("docs/lessons.md", "utf8");
  expect(PARTS.filter((part) => !page.includes(`\`${part}\``))).toEqual([]);
});

const STEP = `# Sets
The idea.

## Which set?
There are {=sets} [sets](set-l1) of the [page](term:page).
? In which set does {address} look?
hint: The low bits.
hint: The bits {=bits}.
right: Set {=set.0}.
wrong tag-for-set: That is the tag.
`;

const source = readLessonText("en.md", STEP);

test("an_equal_text_has_no_differences", () => {
  const other = STEP.replace("There are {=sets} [sets]", "{=sets} [组]");
  expect(differences(source, readLessonText("zh.md", other))).toEqual([]);
});

test.each([
  [
    "a_mark",
    "[page](term:page)",
    "page",
    "step 1: marks set-l1, not set-l1 term:page",
  ],
  [
    "a_number",
    "{=bits}",
    "{=sets}",
    "step 1: numbers {=set.0} {=sets} {address}, not {=bits} {=set.0} {=sets} {address}",
  ],
  ["a_hint", "hint: The low bits.\n", "", "step 1: hints 1, not 2"],
  [
    "a_mistake",
    "tag-for-set",
    "page-for-set",
    "step 1: mistakes page-for-set, not tag-for-set",
  ],
  [
    "a_right_answer",
    "right: Set {=set.0}.",
    "hint: {=set.0}",
    "step 1: words after a right answer 0, not 1",
  ],
  ["a_step", "## Which", "## One\n## Which", "2 steps, not 1"],
])("%s_that_differs_is_found", (_, from, to, expected) => {
  const other = readLessonText("zh.md", STEP.replace(from, to));
  expect(differences(source, other)).toContain(expected);
});
