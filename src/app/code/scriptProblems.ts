/** Why a JavaScript program has no trace, in sentences. */
import { counted } from "../../model/shared/format";
import type { CodeProblem } from "../../model/code/code";
import type { PreparedScript } from "../../model/code/script";
import type { Failure } from "./scriptMessages";

export interface Limits {
  readonly accesses: number;
  readonly seconds: number;
}

export const NOTHING =
  "The program made no access: call load(a, i) or store(a, i) on an array from array(n).";
export const STRANGE =
  "The program sent invalid data: do not change the built-in objects of JavaScript.";

export function tooMany(
  { accesses }: Limits,
  line: number | undefined,
): CodeProblem {
  const message = `Stopped at ${counted(accesses, "access", "accesses")}, the limit for a program: use fewer rounds.`;
  return {
    message,
    hasRun: true,
    ...(line !== undefined && line > 0 && { line }),
  };
}

/** Says that the program was stopped. Accesses arrive in batches, so the size of the last batch is unknown. */
export function stopped(
  { seconds }: Limits,
  accesses: number,
  { endless }: Pick<PreparedScript, "endless">,
): CodeProblem {
  const made =
    accesses > 0
      ? `${counted(accesses, "access", "accesses")} or more`
      : "few accesses or none";
  const why =
    endless === undefined
      ? "is there an endless loop?"
      : "this loop never ends.";
  const message = `Stopped after ${counted(seconds, "second")}, with ${made}: ${why}`;
  return {
    message,
    hasRun: true,
    ...(endless !== undefined && { line: endless }),
  };
}

/** Says that the program crashed. `why` is the browser's message, which is empty if memory ran out. */
export function crashed(why: string): string {
  return why === ""
    ? "The browser ended the program. It may need too much memory: make arrays and texts smaller."
    : `The program ended with an error outside of its code: ${plain(why)}`;
}

export function failed(
  { name, message, line, isSyntax }: Failure,
  {
    unreadable,
    isUnfinished,
  }: Pick<PreparedScript, "unreadable" | "isUnfinished">,
): CodeProblem {
  const at = isSyntax ? unreadable : line;
  const known = name === "" || name === "Error" ? "" : `${name}: `;
  // Errors of the program's own functions are complete sentences.
  const own = /does not exist|there is no|takes an array|which element/.test(
    message,
  );
  // The code runs inside its own braces, so an early closing brace needs another message.
  const why =
    isUnfinished && message.includes("}")
      ? "the code ends too early. Is a bracket or a brace missing?"
      : plain(message);
  const text = isSyntax
    ? `This is not valid JavaScript: ${why}`
    : `${own ? "" : known}${plain(message)}`;
  return { message: text, ...(at !== undefined && { line: at }) };
}

/** Hides the internal names of calls. */
function plain(message: string): string {
  const text = message.replaceAll(/\$(load|store|array)\d+/g, "$1").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
