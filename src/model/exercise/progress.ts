/** What a student has done in an exercise, as the browser keeps it: by the exercise's digest and by name. */
import type { GivenAnswer } from "../../engine/generated/GivenAnswer";
import { SURE } from "../learn/progress";
import type { Sure } from "../learn/progress";
import { isRecord } from "../shared/isRecord";

export interface StudentAnswer {
  readonly given: string;
  readonly right: boolean;
  /** The number of answers so far. */
  readonly tries: number;
  readonly seconds: number;
  readonly sure?: Sure;
  /** The number of hints that were shown. */
  readonly hints: number;
}

export const NO_ANSWER: StudentAnswer = {
  given: "",
  right: false,
  tries: 0,
  seconds: 0,
  hints: 0,
};

const VERSION = 1;

/** Names that differ only in outer spaces are one student. */
export function progressKey(digest: string, name: string): string {
  return `${digest} ${name.trim()}`;
}

export function writeAnswers(answers: readonly StudentAnswer[]): string {
  return JSON.stringify({ pagewalk: "answers", version: VERSION, answers });
}

/** Reads the text of `writeAnswers` for `n` questions; what cannot be read is an empty answer. */
export function readAnswers(
  text: string | undefined,
  n: number,
): readonly StudentAnswer[] {
  const kept = listIn(text);
  return Array.from({ length: n }, (_, at) => readAnswer(kept[at]));
}

function listIn(text: string | undefined): readonly unknown[] {
  if (text === undefined) return [];
  try {
    const data: unknown = JSON.parse(text);
    if (!isRecord(data) || data["version"] !== VERSION) return [];
    const { answers } = data;
    return Array.isArray(answers) ? (answers as readonly unknown[]) : [];
  } catch {
    return [];
  }
}

function readAnswer(value: unknown): StudentAnswer {
  if (!isRecord(value)) return NO_ANSWER;
  const { given, right, sure } = value;
  const known = SURE.find((each) => each === sure);
  return {
    given: typeof given === "string" ? given : "",
    right: right === true,
    tries: wholeIn(value["tries"]),
    seconds: wholeIn(value["seconds"]),
    hints: wholeIn(value["hints"]),
    ...(known && { sure: known }),
  };
}

const wholeIn = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0;

/** Returns whether nothing can be changed any more: the answer is right, or no attempt is left. */
export function isOver(
  { right, tries }: StudentAnswer,
  attempts: number | undefined,
): boolean {
  return right || (attempts !== undefined && tries >= attempts);
}

/** The answers as a line has them. */
export function givenOf(answers: readonly StudentAnswer[]): GivenAnswer[] {
  return answers.map(({ given, tries, seconds, sure }) => ({
    given,
    tries,
    seconds,
    ...(sure && { sure: sure === "certain" }),
  }));
}
