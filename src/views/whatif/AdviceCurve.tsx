/**
 * The walks that remain with n huge pages, over n. Each dot is a full simulation that can be applied. The
 * chart is one tab stop; arrow keys move between the dots.
 */
import { useRef } from "react";
import type { MouseEvent } from "react";
import type { HugePoint } from "../../engine/generated/HugePoint";
import { count, counted, memorySize } from "../../model/shared/format";
import { adviceLayout } from "../../model/whatif/advice";
import { useSize } from "../shared/useSize";
import { useStops } from "../shared/useStops";

export interface AdviceCurveProps {
  readonly points: readonly HugePoint[];
  /** Returns whether the changed machine has the first n huge pages. */
  readonly isApplied: (n: number) => boolean;
  readonly onApply: (n: number) => void;
}

const HEIGHT = 118;

export function AdviceCurve({ points, isApplied, onApply }: AdviceCurveProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box, { width: 500, height: HEIGHT });
  const layout = adviceLayout(points, { width, height: HEIGHT });
  const { dots, path, left, right, top, bottom, ticks, most } = layout;
  const { at, readStop, leave, dismiss, tip, onKeyDown, values } = useStops({
    n: points.length,
    stopAt: (next) => {
      const [dot, each] = [dots[next], points[next]];
      if (!dot || !each || !box.current) return undefined;
      const place = box.current.getBoundingClientRect();
      return {
        place: {
          left: place.left + dot.x - 6,
          top: place.top + dot.y - 6,
          width: 12,
          height: 12,
        },
        content: (
          <p>
            {pointText(each)}.{" "}
            {isApplied(each.huge_pages)
              ? "Applied: click to remove it."
              : "Click to apply it."}
          </p>
        ),
      };
    },
    onEnter: (chosen) => apply(chosen),
  });
  const point = at === undefined ? undefined : points[at];

  const nearest = (event: MouseEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const far = dots.map((dot) => Math.abs(dot.x - x));
    return far.indexOf(Math.min(...far));
  };
  function apply(chosen: number) {
    const each = points[chosen];
    if (!each) return;
    dismiss();
    onApply(each.huge_pages);
  }
  return (
    <div className="wi-chart" ref={box} style={{ height: HEIGHT }}>
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`Walks left by huge pages. ${points.map(pointText).join("; ")}.`}
      >
        <path className="wi-grid" d={`M${left} ${top}H${right}`} />
        <path className="wi-grid" d={`M${left} ${bottom}H${right}`} />
        <text x={left - 8} y={top + 4} textAnchor="end" className="wi-tick">
          {count(most)}
        </text>
        <text x={left - 8} y={bottom + 4} textAnchor="end" className="wi-tick">
          0
        </text>
        {ticks.map(({ n, x }) => (
          <text
            key={n}
            x={x}
            y={bottom + 17}
            textAnchor="middle"
            className="wi-tick"
          >
            {count(n)}
          </text>
        ))}
        <text
          x={(left + right) / 2}
          y={HEIGHT - 3}
          textAnchor="middle"
          className="wi-axis-name"
        >
          huge pages
        </text>
        <path className="wi-line wi-advice-line" d={path} />
        {dots.map(({ n, x, y }, dot) => (
          <circle
            key={n}
            className="wi-advice-dot"
            data-applied={isApplied(n) || undefined}
            cx={x}
            cy={y}
            r={dot === at ? 6 : 4}
          />
        ))}
      </svg>
      <div
        className="wi-chart-keys"
        role="slider"
        tabIndex={0}
        aria-label="Huge pages, over the remaining walks; Enter applies them"
        {...values}
        aria-valuenow={at ?? 0}
        onKeyDown={onKeyDown}
        aria-valuetext={
          point
            ? `${pointText(point)}${isApplied(point.huge_pages) ? ", applied" : ""}`
            : "Arrow keys read the counts"
        }
        onPointerMove={(event) => readStop(nearest(event))}
        onPointerLeave={leave}
        onClick={(event) => apply(nearest(event))}
      />
      {tip}
    </div>
  );
}

function pointText({
  huge_pages: n,
  walks,
  extra_bytes: extra,
}: HugePoint): string {
  return `${counted(n, "huge page")}: ${counted(walks, "walk")} left, ${memorySize(extra)} more memory`;
}
