/** The page at the end of the walk, with the accessed byte. */
import { hexTail } from "../../model/shared/hex";
import type { PageEnd } from "../../model/walk/tables";
import { placesOf } from "../shared/terms/places";
import { STRIP } from "../../model/walk/layout";
import type { WalkLayout } from "../../model/walk/layout";

export interface PageColumnProps {
  readonly page: PageEnd;
  readonly layout: WalkLayout;
}

export function PageColumn({ page, layout }: PageColumnProps) {
  const { pageX: x, pageWidth: width } = layout;
  const middle = x + width / 2;
  const right = x + width;
  // Keeps the bar of the offset inside the page.
  const bar = STRIP.top + page.share * (layout.stripHeight - 4);
  // The text is above the bar, or below it if the base address is in the way.
  const label = bar < STRIP.top + 46 ? bar + 18 : bar - 6;
  const baseY = bar < STRIP.top + 24 ? STRIP.top + layout.stripHeight - 8 : 108;
  return (
    <g {...placesOf("frame")}>
      <rect
        className="lit-frame"
        x={x - 4}
        y={44}
        width={width + 8}
        height={layout.stripHeight + STRIP.top - 40}
        rx={4}
      />
      <text x={x} y={58} className="b">
        {page.title}
      </text>
      {(page.frame.length + page.frameName.length + 1) * 6.6 > width ? (
        <text x={right} y={74} className="mono xs quiet" textAnchor="end">
          {page.frameName} {page.frame}
        </text>
      ) : (
        <text x={x} y={74} className="mono xs quiet">
          {page.frameName} {page.frame}
        </text>
      )}
      <rect
        x={x}
        y={STRIP.top}
        width={width}
        height={layout.stripHeight}
        fill="var(--sunken)"
        stroke="var(--line-strong)"
      />
      {[1, 2, 3, 4, 5, 6, 7].map((part) => (
        <line
          key={part}
          className="walk-rule"
          x1={x}
          x2={right}
          y1={STRIP.top + (layout.stripHeight * part) / 8}
          y2={STRIP.top + (layout.stripHeight * part) / 8}
        />
      ))}
      <text x={middle} y={baseY} className="mono xs faint" textAnchor="middle">
        {page.base.length * 6.6 <= width - 4
          ? page.base
          : hexTail(page.base, 9)}
      </text>
      <rect className="walk-offset" x={x} y={bar} width={width} height={4} />
      <text x={middle} y={label} className="mono m" textAnchor="middle">
        + {page.offset}
      </text>
      <text
        x={right}
        y={layout.foot + 2}
        className={layout.compact ? "mono physical compact" : "mono physical"}
        textAnchor="end"
      >
        {page.physical}
      </text>
      <text x={right} y={layout.foot + 24} className="quiet" textAnchor="end">
        {width < 88 ? "physical" : "physical address"}
      </text>
    </g>
  );
}
