/** The shades of the caches that serve page-table reads, with their latencies; a "?" if space is short. */
import type { MachineView } from "../../engine/generated/MachineView";
import { count } from "../../model/shared/format";
import { servedRank } from "../../model/walk/tables";
import { LegendItem, Swatch } from "../shared/Legend";
import { skipHatch } from "../shared/Patterns";
import { Tooltip } from "../shared/Tooltip";
import "../shared/legend.css";

export interface WalkLegendProps {
  readonly machine: MachineView;
}

export function WalkLegend({ machine }: WalkLegendProps) {
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
      <span className="walk-legend-folded">
        <Tooltip content={<div className="legend-tip">{items}</div>}>
          <button
            type="button"
            className="legend-help"
            aria-label="Legend of the walk"
          >
            ?
          </button>
        </Tooltip>
      </span>
    </>
  );
}
