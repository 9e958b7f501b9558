/** Walks left with n huge pages, over n: each dot is a whole simulation that can be applied. One tab stop, with the dots under the arrow keys. */
import { useRef, useState } from "react";
import type { KeyboardEvent, MouseEvent } from "react";
import type { HugePoint } from "../../engine/generated/HugePoint";
import { count, memorySize } from "../../model/format";
import { adviceLayout } from "../../model/whatIfAdvice";
import { useSize } from "../shared/useSize";
import { useTip } from "../shared/useTip";

export interface AdviceCurveProps {
  readonly points: readonly HugePoint[];
  /** Whether the machine that is tried has the first n of them. */
  readonly isApplied: (n: number) => boolean;
  readonly onApply: (n: number) => void;
}

const HEIGHT = 118;

export function AdviceCurve({ points, isApplied, onApply }: AdviceCurveProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box, { width: 500, height: HEIGHT });
  const [read, setRead] = useState<number>();
  const { show, hide, dismiss, tip } = useTip();
  const layout = adviceLayout(points, { width, height: HEIGHT });
  const { dots, path, left, right, top, bottom, ticks, most } = layout;
  const point = read === undefined ? undefined : points[read];

  const readDot = (at: number) => {
    const dot = dots[at];
    const each = points[at];
    if (at === read || !dot || !each || !box.current) return;
    setRead(at);
    const place = box.current.getBoundingClientRect();
    show(
      {
        left: place.left + dot.x - 6,
        top: place.top + dot.y - 6,
        width: 12,
        height: 12,
      },
      <p>
        {told(each)}.{" "}
        {isApplied(each.huge_pages)
          ? "Applied: a click takes it off."
          : "A click tries it."}
      </p>,
    );
  };
  const nearest = (event: MouseEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const far = dots.map((dot) => Math.abs(dot.x - x));
    return far.indexOf(Math.min(...far));
  };
  const leave = () => {
    setRead(undefined);
    hide();
  };
  const apply = (at: number | undefined) => {
    const chosen = at === undefined ? undefined : points[at];
    if (!chosen) return;
    dismiss();
    onApply(chosen.huge_pages);
  };
  const onKey = (event: KeyboardEvent) => {
    const here = read ?? -1;
    const next = {
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      Home: 0,
      End: points.length - 1,
    }[event.key];
    if (event.key === "Enter") apply(read);
    if (next === undefined) return;
    event.preventDefault();
    readDot(Math.max(0, Math.min(points.length - 1, next)));
  };
  return (
    <div className="wi-chart" ref={box} style={{ height: HEIGHT }}>
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`Walks left by huge pages. ${points.map(told).join("; ")}.`}
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
        {dots.map(({ n, x, y }, at) => (
          <circle
            key={n}
            className="wi-advice-dot"
            data-applied={isApplied(n) || undefined}
            cx={x}
            cy={y}
            r={at === read ? 6 : 4}
          />
        ))}
      </svg>
      <div
        className="wi-chart-keys"
        role="slider"
        tabIndex={0}
        aria-label="Huge pages, over the walks that are left; Enter applies them"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={read ?? 0}
        aria-valuetext={
          point
            ? `${told(point)}${isApplied(point.huge_pages) ? ", applied" : ""}`
            : "Arrow keys read the counts"
        }
        onPointerMove={(event) => readDot(nearest(event))}
        onPointerLeave={leave}
        onBlur={leave}
        onClick={(event) => apply(nearest(event))}
        onKeyDown={onKey}
      />
      {tip}
    </div>
  );
}

function told({ huge_pages: n, walks, extra_bytes: extra }: HugePoint): string {
  return `${count(n)} huge pages: ${count(walks)} walks left, ${memorySize(extra)} more memory`;
}
