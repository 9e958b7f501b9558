/** What the two files of a lesson must have in common, and the limits of its text. */
import { textOf } from "../replay/parts";
import type { Language } from "../texts/language";
import type { Lesson } from "./lesson";
import type { LessonText, StepText, Words } from "./text";

const STEPS = { least: 5, most: 9 };

/** The most words of a step that are read. 70 English words are about 105 Chinese characters and 55 Korean words. */
const MOST_WORDS: Readonly<Record<Language, number>> = {
  en: 70,
  zh: 105,
  ko: 55,
};

/** Everything that is wrong, one sentence each; `file` is that of the text. */
export function lessonProblems(
  lesson: Lesson,
  file: string,
  { steps }: LessonText,
  language: Language,
): readonly string[] {
  const { least, most } = STEPS;
  const n = lesson.steps.length;
  return [
    ...(n < least || n > most
      ? [
          `${lesson.folder}/lesson.json: it has ${n} steps, not ${least} to ${most}.`,
        ]
      : []),
    ...(steps.length === n
      ? []
      : [`${file}: it has ${steps.length} steps, and lesson.json has ${n}.`]),
    ...lesson.steps.flatMap(({ ask, show }, at) =>
      ask?.ask.kind === "number" && show.includes("totals")
        ? [
            `${lesson.folder}/lesson.json, step ${at + 1}: “totals” shows the answer to a question about a number.`,
          ]
        : [],
    ),
    ...steps.flatMap((step, at) =>
      stepProblems(step, lesson.steps[at]?.ask !== undefined, language).map(
        (problem) => `${file}, step ${at + 1}: ${problem}`,
      ),
    ),
  ];
}

function stepProblems(
  step: StepText,
  isAsked: boolean,
  language: Language,
): string[] {
  const { title, paragraphs, question, right } = step;
  const words = paragraphs.reduce((sum, each) => sum + wordsIn(each), 0);
  return [
    ...(title === "" ? ["it has no title."] : []),
    ...(words > MOST_WORDS[language]
      ? [`it has ${words} words; at most ${MOST_WORDS[language]} are read.`]
      : []),
    ...(isAsked && !question
      ? ["lesson.json asks, but there is no “? ”."]
      : []),
    ...(isAsked && !right ? ["there is no “right: ”."] : []),
    ...emptyPlaces(step),
    ...(!isAsked && question
      ? ["it has a question that lesson.json lacks."]
      : []),
  ];
}

/** Counts words between spaces; each Chinese character is one. */
function wordsIn(words: Words): number {
  return textOf(words)
    .replaceAll(/\p{Script=Han}/gu, " $& ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** All words of a step: its text, its question, and what is said about answers. */
export function wordsOf(step: StepText): readonly Words[] {
  const { paragraphs, question = [], hints, right = [], wrong } = step;
  return [...paragraphs, question, ...hints, right, ...Object.values(wrong)];
}

/** The objects of the pictures that a step names. */
export function marksIn(step: StepText): readonly string[] {
  return wordsOf(step)
    .flat()
    .flatMap((part) => (part.kind === "object" ? part.objects : []));
}

/** The places that neither a claim nor a question fills. */
function emptyPlaces(step: StepText): readonly string[] {
  const text = wordsOf(step).map(textOf).join("\n");
  return [...text.matchAll(/\{([^{}]*)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !PLACES.includes(name))
    .map(
      (name) =>
        `“{${name}}” is no claim of lesson.json, and none of {${PLACES.join("}, {")}}.`,
    );
}

/** The places that a posed question fills. */
const PLACES = ["address", "kind", "page", "array", "size"];
