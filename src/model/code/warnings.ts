/** What the import of a program's accesses says, besides what the run itself says. */
import { warningText } from "../import/formats";
import type { ProgramShown } from "./code";

/** How the core's warning about its limit begins. */
export const AT_LIMIT = "The import stopped at the limit";

/** A program that was stopped at its limit says so itself, and there is no file that has more. */
export function runWarnings({
  trace,
  result,
}: Pick<ProgramShown, "trace" | "result">): readonly string[] {
  const isStopped = result.compiled?.trap !== undefined;
  return trace.import.warnings
    .map(warningText)
    .filter((text) => !isStopped || !text.startsWith(AT_LIMIT));
}
