/** An exercise in a link: a digit for the version, then its canonical JSON, deflated, in base64url characters. */
import { MAX_LINK, MAX_TEXT } from "../../engine/generated/exerciseRules";
import { encodePermalink } from "../permalink/permalink";

const VERSION = "1";

export type LinkProblem = "newer" | "damaged";

export class ExerciseLinkError extends Error {
  readonly problem: LinkProblem;

  constructor(problem: LinkProblem) {
    super(`The link of the exercise is ${problem}.`);
    this.name = "ExerciseLinkError";
    this.problem = problem;
  }
}

/** Adds the version to a packed exercise. */
export function exerciseData(word: string): string {
  return `${VERSION}${word}`;
}

/** Returns the packed exercise. Throws an `ExerciseLinkError`. */
export function packedExercise(data: string): string {
  const version = data.slice(0, 1);
  const word = data.slice(1);
  if (/^[2-9]$/.test(version)) throw new ExerciseLinkError("newer");
  if (version !== VERSION || !/^[\w-]+$/.test(word))
    throw new ExerciseLinkError("damaged");
  return word;
}

/** The part of a link after `#` that opens the exercise for a student. */
export function studentLink(data: string): string {
  return encodePermalink({ screen: "learn", exercise: data });
}

/** The part of a link after `#` that grades its answers. */
export function teacherLink(data: string): string {
  return encodePermalink({ screen: "learn", grade: data });
}

/** Returns whether a link may hold the exercise. */
export function fitsLink(data: string, text: string): boolean {
  return studentLink(data).length <= MAX_LINK && bytesOf(text) <= MAX_TEXT;
}

/** The length of a text as UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Finds the data of an exercise in a link, in a part of one, or alone. */
export function dataIn(text: string): string | undefined {
  const named = /[#&?](?:exercise|grade)=([\w-]+)/.exec(`#${text.trim()}`)?.[1];
  if (named !== undefined) return named;
  return /^[1-9][\w-]{20,}$/.exec(text.trim())?.[0];
}
