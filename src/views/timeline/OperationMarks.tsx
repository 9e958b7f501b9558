import { binSpan } from "../../model/timeline/counts";
import type { TimelineColumns } from "../../model/timeline/counts";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";

export interface OperationMarksProps {
  readonly timeline: TimelineColumns;
  readonly layout: TimelineLayout;
}

/** Half the height of a mark in CSS pixels. */
const HALF = 3.5;

/** Marks between the bars and the heat map for operations: process switches, invalidations, unmapping. */
export function OperationMarks({ timeline, layout }: OperationMarksProps) {
  const { view, operations } = timeline;
  const y = (layout.barsBottom + layout.heatTop) / 2;
  const marks = Array.from(operations).flatMap((n, bin) => {
    if (n === 0) return [];
    // An operation precedes its access, so its mark is at the bin's left edge.
    const x = accessX(layout, view, binSpan(view, bin).from);
    return [
      `M${x} ${y - HALF}l${HALF} ${HALF}-${HALF} ${HALF}-${HALF}-${HALF}z`,
    ];
  });
  return marks.length === 0 ? null : (
    <path className="timeline-operation" d={marks.join("")} />
  );
}
