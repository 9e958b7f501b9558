/** The targets of the transport's jumps, with their words and keys. */
import type { Outcome } from "../../engine/generated/Outcome";

export type Jump = "l1-miss" | "walk" | "fault";
/** 1 is forward in the trace. */
export type Direction = 1 | -1;

export interface JumpWords {
  readonly jump: Jump;
  readonly word: string;
  /** What the jump finds, in full. */
  readonly finds: string;
  /** The glyph next to the word: after an L1 miss, the best outcome is an L2 hit. */
  readonly glyph: Outcome;
  /** The key as printed, and as `aria-keyshortcuts`. Shift or the other arrow reverses the direction. */
  readonly nextKey: string;
  readonly previousKey: string;
  readonly shortcuts: Readonly<Record<Direction, string>>;
}

export const JUMPS: readonly JumpWords[] = [
  {
    jump: "l1-miss",
    word: "L1 miss",
    finds: "L1 miss",
    glyph: "l2-hit",
    nextKey: "⇧→",
    previousKey: "⇧←",
    shortcuts: { 1: "Shift+ArrowRight", [-1]: "Shift+ArrowLeft" },
  },
  {
    jump: "walk",
    word: "walk",
    finds: "walk",
    glyph: "walk",
    nextKey: "W",
    previousKey: "⇧W",
    shortcuts: { 1: "W", [-1]: "Shift+W" },
  },
  {
    jump: "fault",
    word: "fault",
    finds: "page fault or exception",
    glyph: "fault",
    nextKey: "F",
    previousKey: "⇧F",
    shortcuts: { 1: "F", [-1]: "Shift+F" },
  },
];

export type Move = "start" | "back" | "step" | "end";
