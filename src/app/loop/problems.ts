/** Why a loop has no trace, in sentences. */
import { count } from "../../model/shared/format";
import type { LoopProblem } from "../../model/loop/loop";
import type { PreparedLoop } from "../../model/loop/code";
import type { Failure } from "./messages";

export interface Limits {
  readonly accesses: number;
  readonly seconds: number;
}

export const NOTHING =
  "It ended without an access: call load(a, i) or store(a, i) on an array that array(n) makes.";
export const STRANGE =
  "What the loop sent is no list of accesses: it must leave the objects of the language as they are.";

export function tooMany(
  { accesses }: Limits,
  line: number | undefined,
): LoopProblem {
  const message = `It was stopped at ${count(accesses)} accesses, the most that a loop may make: let it do fewer rounds.`;
  return { message, ...(line !== undefined && line > 0 && { line }) };
}

/** Accesses come in bundles: of the last one nothing is known. */
export function stopped(
  { seconds }: Limits,
  accesses: number,
  { endless }: Pick<PreparedLoop, "endless">,
): LoopProblem {
  const made =
    accesses > 0
      ? `${count(accesses)} accesses or more`
      : "few accesses or none";
  const why =
    endless === undefined
      ? "is there a loop that does not end?"
      : "nothing ends this loop.";
  const message = `It was stopped after ${seconds} seconds, with ${made}: ${why}`;
  return { message, ...(endless !== undefined && { line: endless }) };
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
  // What the API itself refuses says it in a sentence of its own.
  const own = /does not exist|there is no|takes an array|which element/.test(
    message,
  );
  // The code stands in braces of its own: that one of them comes too soon says nothing of it.
  const why =
    isUnfinished && message.includes("}")
      ? "it ends before it is complete. Is a bracket or a brace not closed?"
      : plain(message);
  const text = isSyntax
    ? `It cannot be read as JavaScript: ${why}`
    : `${own ? "" : known}${plain(message)}`;
  return { message: text, ...(at !== undefined && { line: at }) };
}

/** The names that calls were given are nobody's business. */
function plain(message: string): string {
  const text = message.replaceAll(/\$(load|store|array)\d+/g, "$1").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
