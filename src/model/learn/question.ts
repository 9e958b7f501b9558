/** Words about a posed question and its answer that no lesson writes itself. */
import type { Graded } from "../../engine/generated/Graded";
import type { Posed } from "../../engine/generated/Posed";
import type { Learn } from "../../texts/en/learn";
import { paragraph } from "../texts/messages";
import type { Say } from "../texts/messages";
import { fill } from "./text";
import type { StepText, Words } from "./text";

/** Writes a message of the screen. */
export type SayLearn = Say<keyof Learn>;

/** The places of a question's text: `{address}`, `{kind}`, `{page}`, `{array}`, `{size}`. */
export function valuesOf(
  { address, access, page = "", array = "TLB", size = "" }: Posed,
  say: SayLearn,
): Readonly<Record<string, string>> {
  return { address, kind: say("kind", { kind: access }), page, array, size };
}

/** What is said about an answer besides “right” and “wrong”: the lesson's own words, or general ones. */
export function verdictOf(
  { right, mistake }: Graded,
  text: StepText,
  posed: Posed,
  say: SayLearn,
): Words {
  const own = right
    ? text.right
    : mistake === undefined
      ? undefined
      : text.wrong[mistake];
  if (own) return fill(own, valuesOf(posed, say));
  return right ? [] : paragraph(say(mistake ?? "unknownMistake"));
}
