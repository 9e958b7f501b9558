/** The working set over time, with a tick where a phase begins. */
import { useRef } from "react";
import type { WorkingSet } from "../../engine/generated/WorkingSet";
import { count, counted } from "../../model/shared/format";
import { tickMargin } from "../../model/whatif/chartLabels";
import { workingSetPicture } from "../../model/whatif/overTime";
import { useSize } from "../shared/useSize";

const HEIGHT = 150;
const LEFT = 56;
const RIGHT = 8;
const TOP = 12;
const PLOT = 110;

export interface WorkingSetChartProps {
  readonly found: WorkingSet;
  /** The unit of time: `fetches`. */
  readonly unit: string;
}

export function WorkingSetChart({ found, unit }: WorkingSetChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box, { width: 560, height: HEIGHT });
  const left = tickMargin(found.most, LEFT);
  const wide = Math.max(40, width - left - RIGHT);
  const { area, most, phases } = workingSetPicture(found, wide, PLOT);
  const sentence = `${counted(Math.round(found.mean), "page")} on average, ${count(most)} at most, ${counted(phases.length, "phase")} over ${count(found.accesses)} ${unit}.`;
  return (
    <div className="wi-chart" ref={box} style={{ height: HEIGHT }}>
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={sentence}
      >
        <text x={left - 8} y={TOP + 4} textAnchor="end" className="wi-tick">
          {count(most)}
        </text>
        <text x={left - 8} y={TOP + PLOT} textAnchor="end" className="wi-tick">
          0
        </text>
        <path className="wi-grid" d={`M${left} ${TOP}H${left + wide}`} />
        <g transform={`translate(${left} ${TOP})`}>
          <path d={area} className="wi-area" />
          {phases.map((phase) => (
            <path
              key={phase.x}
              className="wi-phase"
              d={`M${phase.x} ${PLOT}v8`}
            />
          ))}
        </g>
        <path
          className="wi-cross"
          d={`M${left} ${TOP + PLOT}H${left + wide}`}
        />
        <text x={left} y={HEIGHT - 6} className="wi-tick">
          0
        </text>
        <text
          x={left + wide}
          y={HEIGHT - 6}
          textAnchor="end"
          className="wi-tick"
        >
          {count(found.accesses)}
        </text>
        <text
          x={left + wide / 2}
          y={HEIGHT - 6}
          textAnchor="middle"
          className="wi-axis-name"
        >
          {unit}
        </text>
      </svg>
    </div>
  );
}
