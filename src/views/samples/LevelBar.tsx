/** Where translations were found, as a stacked bar with colour, hatch and words. */
import { percent } from "../../model/shared/format";
import { levelParts } from "../../model/samples/levels";
import type { LevelClass, LevelKey } from "../../model/samples/levels";
import type { SurveyCounts } from "../../engine/generated/SurveyCounts";
import { LegendItem, Swatch } from "../shared/Legend";
import { hatch } from "../shared/Patterns";
import { Tooltip } from "../shared/Tooltip";

const WIDTH = 132;
const HEIGHT = 12;

const FILLS: Readonly<Record<LevelKey, string>> = {
  l1: hatch("l1-hit"),
  l2: hatch("l2-hit"),
  no_walk: "url(#hatch-l1-or-l2)",
  walk: hatch("walk"),
  fault: hatch("fault"),
  unknown: "var(--sunken)",
};

/** Defines the hatch of the class "L1 or L2"; render it once per screen. */
export function LevelPatterns() {
  return (
    <svg width="0" height="0" className="level-patterns" aria-hidden="true">
      <defs>
        <pattern
          id="hatch-l1-or-l2"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
        >
          <rect width="6" height="6" fill="var(--hit1-soft)" />
          <circle cx="3" cy="3" r="1.1" fill="var(--hit2)" />
        </pattern>
      </defs>
    </svg>
  );
}

export interface LevelBarProps {
  readonly counts: SurveyCounts;
  /** The total of the longest bar, which fills the width. */
  readonly most: number;
  /** Whether no TLB level was measured: the bar then shows samples only. */
  readonly isPlain?: boolean;
}

export function LevelBar({ counts, most, isPlain = false }: LevelBarProps) {
  const length = most > 0 ? (WIDTH * counts.weight) / most : 0;
  const parts = levelParts(counts);
  const words = parts.map(({ of, share }) => `${of.word} ${percent(share)}`);
  if (isPlain)
    return (
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <rect
          width={Math.max(1, length)}
          height={HEIGHT}
          fill="var(--text-3)"
        />
      </svg>
    );
  return (
    <svg
      className="level-bar"
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={words.join(", ")}
    >
      <title>{words.join(", ")}</title>
      <g className="level-bar-parts">
        {parts.map(({ of, share, from }) => (
          <rect
            key={of.key}
            x={length * from}
            width={Math.max(1, length * share)}
            height={HEIGHT}
            fill={FILLS[of.key]}
          />
        ))}
      </g>
      <rect
        x=".5"
        y=".5"
        width={Math.max(1, length - 1)}
        height={HEIGHT - 1}
        fill="none"
        stroke="var(--line-strong)"
      />
    </svg>
  );
}

export function LevelLegend({
  classes,
}: {
  readonly classes: readonly LevelClass[];
}) {
  return (
    <p className="level-legend">
      {classes.map(({ key, word, meaning }) => (
        <LegendItem key={key}>
          <Swatch
            fill={FILLS[key]}
            outlined={key === "l1" || key === "no_walk" || key === "unknown"}
          />
          <Tooltip content={meaning} tap>
            <button type="button" className="plain-button">
              {word}
            </button>
          </Tooltip>
        </LegendItem>
      ))}
    </p>
  );
}
