/** The drawing of a chart: grid and axes, marks on the x axis, lines with their names. */
import type { Chart } from "../../../engine/generated/Chart";
import type {
  ChartLayout,
  ChartLine,
} from "../../../model/shared/chart/layout";
import { PointMark } from "./PointMark";

export interface ChartLinesProps {
  readonly chart: Chart;
  readonly layout: ChartLayout;
  /** A small picture names neither its axes nor its marks. */
  readonly isSmall?: boolean;
}

export function ChartLines({
  chart,
  layout,
  isSmall = false,
}: ChartLinesProps) {
  const { left, right, bottom, height } = layout;
  return (
    <>
      <g className="chart-axes">
        {layout.yTicks.map(({ at, label }) => (
          <g key={label}>
            <line className="chart-grid" x1={left} x2={right} y1={at} y2={at} />
            <text x={left - 8} y={at} dy=".35em" textAnchor="end">
              {label}
            </text>
          </g>
        ))}
        {layout.xTicks.map(({ at, label }) => (
          <g key={label}>
            <line
              className="chart-tick"
              x1={at}
              x2={at}
              y1={bottom}
              y2={bottom + 4}
            />
            <text x={at} y={bottom + 6} dy="1em" textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        <line
          className="chart-axis"
          x1={left}
          x2={right}
          y1={bottom}
          y2={bottom}
        />
        {isSmall ? null : (
          <>
            <text className="chart-label" x={0} y={0} dy="1em">
              {chart.y.label}
            </text>
            <text
              className="chart-label"
              x={(left + right) / 2}
              y={height - 5}
              textAnchor="middle"
            >
              {chart.x.label}
            </text>
          </>
        )}
      </g>
      <g className="chart-marks">
        {layout.marks.map(({ x, y, label, anchor }) => (
          <g key={`${x} ${label}`}>
            <line x1={x} x2={x} y1={isSmall ? layout.top : y - 8} y2={bottom} />
            {isSmall ? null : (
              <text
                x={anchor === "start" ? x + 5 : x - 5}
                y={y}
                textAnchor={anchor}
              >
                {label}
              </text>
            )}
          </g>
        ))}
      </g>
      {[...layout.lines].sort(published).map((line) => (
        <Line key={line.name} line={line} />
      ))}
    </>
  );
}

/** Draws published points above the lines. */
const published = (a: ChartLine, b: ChartLine) =>
  Number(a.kind === "published") - Number(b.kind === "published");

function Line({ line }: { readonly line: ChartLine }) {
  const { style, path, points, label, kind } = line;
  return (
    <g data-kind={kind}>
      {path === "" ? null : (
        <path
          d={path}
          fill="none"
          stroke={style.colour}
          strokeWidth={style.width}
          strokeDasharray={style.dash}
          strokeLinejoin="round"
        />
      )}
      {points.map(({ x, bar }, at) =>
        bar ? (
          <path
            key={at}
            d={`M${x} ${bar[0]}V${bar[1]}M${x - 4} ${bar[0]}h8M${x - 4} ${bar[1]}h8`}
            fill="none"
            stroke={style.colour}
            strokeWidth={1.5}
          />
        ) : null,
      )}
      {points.map(({ x, y }, at) => (
        <PointMark key={at} x={x} y={y} style={style} />
      ))}
      {label ? (
        <>
          {label.leader === undefined ? null : (
            <path className="chart-leader" d={label.leader} fill="none" />
          )}
          <text className="chart-name" x={label.x} y={label.y} dy=".35em">
            {label.text}
          </text>
        </>
      ) : null}
    </g>
  );
}
