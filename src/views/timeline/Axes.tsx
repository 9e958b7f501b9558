import type { Span } from "../../model/timeline/counts";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import { accessTicks, shareTicks } from "../../model/timeline/scale";
import type { CssPixels, Share } from "../../model/shared/units";

export interface AxesProps {
  readonly layout: TimelineLayout;
  readonly span: Span;
  readonly top: Share;
  readonly compact: boolean;
}

/** The gap between a tick's label and the plot. */
const LABEL_GAP: CssPixels = 8;

export function Axes({ layout, span, top, compact }: AxesProps) {
  const { left, right, barsTop, barsBottom, heatBottom, text } = layout;
  const scale = (barsBottom - barsTop) / top;
  return (
    <g className="timeline-axes">
      {shareTicks(top, barsBottom - barsTop, text).map(({ at, label }) => {
        const y = barsBottom - at * scale;
        return (
          <g key={at}>
            {at > 0 && at < top ? (
              <line
                className="timeline-grid"
                x1={left}
                x2={right}
                y1={y}
                y2={y}
              />
            ) : null}
            <text x={left - LABEL_GAP} y={y + 4 * text} textAnchor="end">
              {label}
            </text>
          </g>
        );
      })}
      {accessTicks(span, right - left, text).map(({ at, label }) => {
        const x = accessX(layout, span, at);
        // A label may extend into the panel's gutter but not beyond the panel.
        const room = layout.width - x + 12;
        const last = room < label.length * 3.3 * text;
        return (
          <g key={at}>
            <line
              className="timeline-tick"
              x1={x}
              x2={x}
              y1={heatBottom}
              y2={heatBottom + 4}
            />
            <text
              x={last ? layout.width : x}
              y={heatBottom + 4 + 11 * text}
              textAnchor={last ? "end" : "middle"}
            >
              {label}
            </text>
          </g>
        );
      })}
      {compact ? null : (
        <text
          x={left - LABEL_GAP}
          y={heatBottom + 4 + 11 * text}
          textAnchor="end"
        >
          access
        </text>
      )}
    </g>
  );
}
