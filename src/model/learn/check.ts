/** What the two files of a lesson must have in common, and the limits of its text. */
import { textOf } from "../replay/parts";
import type { Lesson } from "./lesson";
import type { LessonText, StepText, Words } from "./text";

export const LIMITS = { steps: { least: 5, most: 9 }, words: 70 } as const;

/** Everything that is wrong, one sentence each; `file` is that of the text. */
export function lessonProblems(
  lesson: Lesson,
  file: string,
  { steps }: LessonText,
): readonly string[] {
  const { least, most } = LIMITS.steps;
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
    ...steps.flatMap((step, at) =>
      stepProblems(step, lesson.steps[at]?.ask !== undefined).map(
        (problem) => `${file}, step ${at + 1}: ${problem}`,
      ),
    ),
  ];
}

function stepProblems(step: StepText, isAsked: boolean): string[] {
  const { title, paragraphs, question, right } = step;
  const words = paragraphs.reduce((sum, each) => sum + wordsIn(each), 0);
  return [
    ...(title === "" ? ["it has no title."] : []),
    ...(words > LIMITS.words
      ? [`it has ${words} words; at most ${LIMITS.words} are read.`]
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

function wordsIn(words: Words): number {
  return textOf(words)
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
    .map((name) => `“{${name}}” is no claim of lesson.json.`);
}

/** The places that a posed question fills. */
const PLACES = ["address", "kind", "page", "array", "size"];
