import type { Span } from "../../model/timeline/counts";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { AccessIndex } from "../../model/shared/units";

export interface UnreadProps {
  readonly layout: TimelineLayout;
  readonly span: Span;
  /** The first access that is not simulated yet. */
  readonly readTo: AccessIndex;
}

/** Covers the part of the trace that is not simulated yet, where nothing is known. */
export function Unread({ layout, span, readTo }: UnreadProps) {
  const x = Math.max(layout.left, accessX(layout, span, readTo));
  const { right, barsTop, heatBottom } = layout;
  if (x >= right) return null;
  return (
    <div
      className="timeline-unread"
      style={{
        left: x,
        width: right - x,
        top: barsTop,
        height: heatBottom - barsTop,
      }}
    >
      {right - x > 110 ? <span>not simulated yet</span> : null}
    </div>
  );
}
