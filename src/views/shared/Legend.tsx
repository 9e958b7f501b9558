import type { ReactNode } from "react";
import type { Outcome } from "../../engine/generated/Outcome";
import type { TermId } from "../../model/glossary/terms";
import type { Token } from "../../model/shared/theme";
import { Glyph } from "./Glyph";
import { useOutcomeWord } from "./outcomeWords";
import { hatch } from "./Patterns";
import { Term } from "./terms/Term";
import "./legend.css";

export interface LegendItemProps {
  readonly children: ReactNode;
}

/** One entry of a legend: marks or swatches, then words. */
export function LegendItem({ children }: LegendItemProps) {
  return <span className="legend-item">{children}</span>;
}

/** The cards of the outcomes. */
const OUTCOME_TERMS: Readonly<Record<Outcome, TermId>> = {
  "l1-hit": "hit",
  "l2-hit": "stlb",
  walk: "page-walk",
  fault: "page-fault",
  exception: "page-fault",
};

export interface OutcomeLegendProps {
  readonly outcomes: readonly Outcome[];
  /** Words that replace the default one: `{"l1-hit": "the rest are L1 hits"}`. */
  readonly words?: Partial<Record<Outcome, string>>;
}

/** Glyph, fill and word of each outcome. */
export function OutcomeLegend({ outcomes, words = {} }: OutcomeLegendProps) {
  const outcomeWord = useOutcomeWord();
  return (
    <span className="legend">
      {outcomes.map((outcome) => (
        <LegendItem key={outcome}>
          <Glyph outcome={outcome} />
          <Swatch fill={hatch(outcome)} outlined={outcome === "l1-hit"} />
          <Term term={OUTCOME_TERMS[outcome]}>
            {words[outcome] ?? outcomeWord(outcome)}
          </Term>
        </LegendItem>
      ))}
    </span>
  );
}

export interface SwatchProps {
  /** An SVG paint: a colour, `hatch()`, `skipHatch()`. */
  readonly fill: string;
  readonly outlined?: boolean;
}

/** A small sample of a fill. */
export function Swatch({ fill, outlined = false }: SwatchProps) {
  return (
    <svg className="swatch" width="16" height="12" aria-hidden="true">
      {outlined ? (
        <rect
          x=".5"
          y=".5"
          width="15"
          height="11"
          rx="1.5"
          fill={fill}
          stroke="var(--line-strong)"
        />
      ) : (
        <rect width="16" height="12" fill={fill} />
      )}
    </svg>
  );
}

export interface RampProps {
  /** Colours from few to many, or from recent to old. */
  readonly tokens: readonly Token[];
}

/** The steps of a colour scale, without gaps. */
export function Ramp({ tokens }: RampProps) {
  return (
    <svg
      className="swatch"
      width={tokens.length * 14}
      height="12"
      aria-hidden="true"
    >
      {tokens.map((token, step) => (
        <rect
          key={token}
          x={step * 14}
          width="14"
          height="12"
          fill={`var(${token})`}
        />
      ))}
    </svg>
  );
}
