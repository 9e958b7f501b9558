/** Why a loop has no trace, in sentences. */
import { counted } from "../../model/shared/format";
import type { LoopProblem } from "../../model/loop/loop";
import type { PreparedLoop } from "../../model/loop/code";
import type { Failure } from "./messages";

export interface Limits {
  readonly accesses: number;
  readonly seconds: number;
}

export const NOTHING =
  "The loop made no access: call load(a, i) or store(a, i) on an array from array(n).";
export const STRANGE =
  "The loop sent invalid data: do not change the built-in objects of JavaScript.";

export function tooMany(
  { accesses }: Limits,
  line: number | undefined,
): LoopProblem {
  const message = `Stopped at ${counted(accesses, "access", "accesses")}, the limit for a loop: use fewer rounds.`;
  return { message, ...(line !== undefined && line > 0 && { line }) };
}

/** Says that the loop was stopped. Accesses arrive in batches, so the size of the last batch is unknown. */
export function stopped(
  { seconds }: Limits,
  accesses: number,
  { endless }: Pick<PreparedLoop, "endless">,
): LoopProblem {
  const made =
    accesses > 0
      ? `${counted(accesses, "access", "accesses")} or more`
      : "few accesses or none";
  const why =
    endless === undefined
      ? "is there an endless loop?"
      : "this loop never ends.";
  const message = `Stopped after ${counted(seconds, "second")}, with ${made}: ${why}`;
  return { message, ...(endless !== undefined && { line: endless }) };
}

/** Says that the loop crashed. `why` is the browser's message, which is empty if memory ran out. */
export function crashed(why: string): string {
  return why === ""
    ? "The browser ended the loop. It may need too much memory: make arrays and texts smaller."
    : `The loop ended with an error outside of its code: ${plain(why)}`;
}

export function failed(
  { name, message, line, isSyntax }: Failure,
  {
    unreadable,
    isUnfinished,
  }: Pick<PreparedLoop, "unreadable" | "isUnfinished">,
): LoopProblem {
  const at = isSyntax ? unreadable : line;
  const known = name === "" || name === "Error" ? "" : `${name}: `;
  // Errors of the loop's own functions are complete sentences.
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
