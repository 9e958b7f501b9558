import type { Outcome } from "../../engine/generated/Outcome";
import { outcomeColour } from "../../model/shared/outcome";
import { useOutcomeWord } from "./outcomeWords";

/** Outlines in a 12 × 12 box: circle, diamond, triangle, cross, barred circle. */
const SHAPES: Readonly<Record<Outcome, string>> = {
  "l1-hit": "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9Z",
  "l2-hit": "M6 .8 11.2 6 6 11.2.8 6Z",
  walk: "M6 1 11.4 10.8H.6Z",
  fault: "M2.9.9 6 4l3.1-3.1 2 2L8 6l3.1 3.1-2 2L6 8l-3.1 3.1-2-2L4 6 .9 2.9Z",
  exception:
    "M6 .8a5.2 5.2 0 1 1 0 10.4a5.2 5.2 0 1 1 0-10.4ZM2.6 4.8v2.4h6.8V4.8Z",
};

export interface GlyphProps {
  readonly outcome: Outcome;
  /** Width and height in CSS pixels. */
  readonly size?: number;
  /** Set for a glyph without its word: screen readers then read the word. */
  readonly named?: boolean;
}

/** The small mark of an outcome, for text and legends. */
export function Glyph({ outcome, size = 11, named = false }: GlyphProps) {
  const outcomeWord = useOutcomeWord();
  return (
    <svg
      className="glyph"
      width={size}
      height={size}
      viewBox="0 0 12 12"
      {...(named
        ? { role: "img", "aria-label": outcomeWord(outcome) }
        : { "aria-hidden": true })}
    >
      <path d={SHAPES[outcome]} fill={outcomeColour(outcome)} />
    </svg>
  );
}

export interface GlyphMarkProps {
  readonly outcome: Outcome;
  /** The centre, in the picture's units. */
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}

/** The small mark of an outcome inside an SVG picture, centred on a point. */
export function GlyphMark({ outcome, x, y, size = 11 }: GlyphMarkProps) {
  const scale = size / 12;
  return (
    <path
      d={SHAPES[outcome]}
      fill={outcomeColour(outcome)}
      transform={`translate(${x - size / 2} ${y - size / 2}) scale(${scale})`}
    />
  );
}
