/** The five outcomes: their words, their order and their colour tokens. */
import type { Outcome } from "../../engine/generated/Outcome";

/** The outcomes, cheapest first. */
export const OUTCOMES: readonly Outcome[] = [
  "l1-hit",
  "l2-hit",
  "walk",
  "fault",
  "exception",
];

/** The second level of the TLB, where no machine says its own name. */
export const SECOND_LEVEL = "L2 TLB";

const WORDS: Readonly<Record<Exclude<Outcome, "l2-hit">, string>> = {
  "l1-hit": "L1 hit",
  walk: "walk",
  fault: "page fault",
  exception: "exception",
};

const TOKENS: Readonly<Record<Outcome, string>> = {
  "l1-hit": "hit1",
  "l2-hit": "hit2",
  walk: "walk",
  fault: "fault",
  // The pattern and the glyph tell it from a fault.
  exception: "fault",
};

/** The word for an outcome, in every text and picture. */
export function outcomeWord(outcome: Outcome, second = SECOND_LEVEL): string {
  return outcome === "l2-hit" ? `${second} hit` : WORDS[outcome];
}

/** The outcomes of a run; an exception is listed only where one occurred. */
export function outcomesWith(exceptions: boolean): readonly Outcome[] {
  return OUTCOMES.filter((outcome) => exceptions || outcome !== "exception");
}

/** `mark` for areas and glyphs, `ink` for text, `soft` for the tint behind text. */
export type Grade = "mark" | "ink" | "soft";

/** The CSS property of an outcome's colour: `--walk`, `--walk-ink`, `--walk-soft`. */
export function outcomeToken(
  outcome: Outcome,
  grade: Grade = "mark",
): `--${string}` {
  return grade === "mark"
    ? `--${TOKENS[outcome]}`
    : `--${TOKENS[outcome]}-${grade}`;
}

/** The colour for a style sheet or an SVG attribute: `var(--walk)`. */
export function outcomeColour(outcome: Outcome, grade: Grade = "mark"): string {
  return `var(${outcomeToken(outcome, grade)})`;
}
