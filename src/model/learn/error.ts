import type { Json } from "../shared/mergePatch";

/** What is wrong in a file of a lesson, and where. */
export class LessonError extends Error {
  constructor(where: string, what: string) {
    super(`${where}: ${what}`);
    this.name = "LessonError";
  }
}

/** Reads a whole number from 0. */
export function wholeOf(
  where: string,
  key: string,
  value: Json | undefined,
): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)
    return value;
  throw new LessonError(where, `“${key}” must be a whole number from 0.`);
}
