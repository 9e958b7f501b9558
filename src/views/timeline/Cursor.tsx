import { memo } from "react";
import { count } from "../../model/shared/format";
import type { Span } from "../../model/timeline/counts";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { AccessIndex, CssPixels } from "../../model/shared/units";

export interface CursorProps {
  readonly layout: TimelineLayout;
  readonly span: Span;
  readonly cursor: AccessIndex;
  /** Hides the number: a phone shows it in the transport. */
  readonly compact: boolean;
}

/** A longer label moves to the other side of the cursor earlier. */
const LABEL_ROOM: CssPixels = 72;

/**
 * The playhead with its access number. It moves by a CSS transform alone, so the picture below is not
 * redrawn.
 */
export const Cursor = memo(function Cursor({
  layout,
  span,
  cursor,
  compact,
}: CursorProps) {
  const { left, right, heatBottom } = layout;
  if (cursor < span.from || cursor >= span.to) {
    const before = cursor < span.from;
    return (
      <div
        className="timeline-cursor"
        data-outside={before ? "before" : "after"}
        style={{ transform: `translateX(${before ? left : right}px)` }}
      >
        <span className="timeline-cursor-label">
          {before ? `◂ ${count(cursor)}` : `${count(cursor)} ▸`}
        </span>
      </div>
    );
  }
  const x = accessX(layout, span, cursor);
  return (
    <div
      className="timeline-cursor"
      data-flipped={right - x < LABEL_ROOM || undefined}
      style={{ transform: `translateX(${x}px)`, height: heatBottom + 4 }}
    >
      <svg width="10" height="6" aria-hidden="true">
        <path d="M0 0h10l-5 6z" />
      </svg>
      {compact ? null : (
        <span className="timeline-cursor-label">{count(cursor)}</span>
      )}
    </div>
  );
});
