import { barPaths, cutBars, STACK } from "../../model/timeline/bars";
import type { TimelineColumns } from "../../model/timeline/counts";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { Share } from "../../model/shared/units";
import { hatch } from "../shared/Patterns";

export interface BarsProps {
  readonly timeline: TimelineColumns | null;
  readonly layout: TimelineLayout;
  readonly top: Share;
}

/**
 * The bars of each bin: exceptions at the bottom, then faults, walks and L2 hits. The background stands for L1 hits.
 */
export function Bars({ timeline, layout, top }: BarsProps) {
  const { left, right, barsTop, barsBottom, heatTop, heatBottom } = layout;
  const paths = timeline ? barPaths(timeline, layout, top) : null;
  const cut = timeline ? cutBars(timeline, layout, top) : [];
  return (
    <g>
      <rect
        x={left}
        y={barsTop}
        width={right - left}
        height={barsBottom - barsTop}
        fill={timeline ? hatch("l1-hit") : "var(--sunken)"}
      />
      {timeline ? null : (
        <rect
          x={left}
          y={heatTop}
          width={right - left}
          height={heatBottom - heatTop}
          fill="var(--sunken)"
        />
      )}
      {paths
        ? STACK.filter((outcome) => paths[outcome] !== "").map((outcome) => (
            <path key={outcome} d={paths[outcome]} fill={hatch(outcome)} />
          ))
        : null}
      {/* A bar that goes on beyond the axis ends in a caret, with a gap that keeps it off the hatch. */}
      {cut.map((x) => (
        <path
          key={x}
          className="timeline-cut"
          d={`M${x - 3.5} ${barsTop + 4.5}l3.5-5 3.5 5z`}
        />
      ))}
    </g>
  );
}
