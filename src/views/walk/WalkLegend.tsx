/**
 * The shades of the caches that serve page-table reads, with their latencies; if space is short, only in the "?".
 * The "?" also explains the words of the picture.
 */
import { Suspense, lazy } from "react";
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import { count } from "../../model/shared/format";
import { servedRank } from "../../model/walk/tables";
import { LegendItem, Swatch } from "../shared/Legend";
import { skipHatch } from "../shared/Patterns";
import { Tooltip } from "../shared/Tooltip";
import "../shared/legend.css";

const WalkWords = lazy(() =>
  import("./WordTips").then((module) => ({ default: module.WalkWords })),
);

export interface WalkLegendProps {
  readonly machine: MachineView;
  /** The tables whose words are explained; none in a nested walk. */
  readonly levels?: readonly LevelView[];
}

const NO_LEVELS: readonly LevelView[] = [];

export function WalkLegend({ machine, levels = NO_LEVELS }: WalkLegendProps) {
  const hasWords = levels.length > 0;
  const items = (
    <>
      {machine.memory.map(([name, latency]) => (
        <LegendItem key={name}>
          <span
            className={`walk-swatch walk-ref${servedRank(machine, name)}`}
            aria-hidden="true"
          />
          {name} {count(latency)}
        </LegendItem>
      ))}
      <LegendItem>
        <Swatch fill={skipHatch("combined")} outlined />
        skipped
      </LegendItem>
    </>
  );
  return (
    <>
      <span
        className="walk-legend"
        title="Which cache served a page-table read, and in how many cycles"
      >
        {items}
      </span>
      <span className={hasWords ? "walk-legend-words" : "walk-legend-folded"}>
        <Tooltip
          tap
          content={
            <div className="walk-words">
              <div className="legend-tip">{items}</div>
              {hasWords ? (
                <Suspense>
                  <WalkWords levels={levels} machine={machine} />
                </Suspense>
              ) : null}
            </div>
          }
        >
          <button
            type="button"
            className="legend-help"
            data-no-picture=""
            aria-label="Legend and words of the walk"
          >
            ?
          </button>
        </Tooltip>
      </span>
    </>
  );
}
