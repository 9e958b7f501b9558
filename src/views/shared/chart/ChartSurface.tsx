/**
 * The surface over a chart that receives the pointer and the keys: one tab stop, a slider over the x
 * positions that have a point. A tooltip shows the values there.
 */
import { useRef } from "react";
import type { PointerEvent } from "react";
import type { Chart } from "../../../engine/generated/Chart";
import { nearestStop, stopText } from "../../../model/shared/chart/layout";
import type { ChartLayout, Stop } from "../../../model/shared/chart/layout";
import { axisValue } from "../../../model/shared/chart/scale";
import { useStops } from "../useStops";
import { LineSample } from "./LineSample";

export interface ChartSurfaceProps {
  readonly chart: Chart;
  readonly layout: ChartLayout;
}

export function ChartSurface({ chart, layout }: ChartSurfaceProps) {
  const surface = useRef<HTMLDivElement>(null);
  const { stops, left, right, top, bottom } = layout;
  const { at, readStop, leave, tip, onKeyDown, values } = useStops({
    n: stops.length,
    stopAt: (next) => {
      const there = stops[next];
      if (!there || !surface.current) return undefined;
      const box = surface.current.getBoundingClientRect();
      const place = {
        left: box.left + there.x - left - 8,
        top: box.top,
        width: 16,
        height: 1,
      };
      const content = <StopTip chart={chart} layout={layout} stop={there} />;
      return { place, content };
    },
  });
  const stop = at === undefined ? undefined : stops[at];

  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    readStop(nearestStop(stops, event.clientX - box.left + left));
  };
  return (
    <>
      {stop ? <Crosshair stop={stop} layout={layout} /> : null}
      <div
        ref={surface}
        className="chart-surface"
        role="slider"
        tabIndex={0}
        aria-label={`${chart.x.label}, over ${chart.title}`}
        {...values}
        aria-valuenow={at ?? 0}
        onKeyDown={onKeyDown}
        aria-valuetext={
          stop ? stopSentence(chart, layout, stop) : "no point chosen"
        }
        style={{ left, width: right - left, top, height: bottom - top }}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={leave}
      />
      {tip}
    </>
  );
}

interface StopProps {
  readonly stop: Stop;
  readonly layout: ChartLayout;
}

function Crosshair({ stop, layout }: StopProps) {
  const { width, height, top, bottom, lines } = layout;
  return (
    <svg
      className="chart-crosshair"
      width={width}
      height={height}
      aria-hidden="true"
    >
      <line x1={stop.x} x2={stop.x} y1={top} y2={bottom} />
      {stop.values.map(({ line, y }) =>
        y === undefined ? null : (
          <circle
            key={line}
            cx={stop.x}
            cy={y}
            r={Math.max(6, (lines[line]?.style.size ?? 0) / 2 + 3)}
          />
        ),
      )}
    </svg>
  );
}

interface StopTipProps extends StopProps {
  readonly chart: Chart;
}

function StopTip({ chart, layout, stop }: StopTipProps) {
  return (
    <>
      <p className="tip-title">{axisValue(chart.x, stop.value)}</p>
      <p className="tip-note">{chart.x.label}</p>
      <table className="tip-table">
        <tbody>
          {stop.values.map((each) => {
            const drawn = layout.lines[each.line];
            return drawn ? (
              <tr key={each.line}>
                <th scope="row">
                  <LineSample style={drawn.style} /> {drawn.name}
                </th>
                <td>{stopText(each)}</td>
              </tr>
            ) : null;
          })}
        </tbody>
      </table>
      <p className="tip-note">{chart.y.label}</p>
    </>
  );
}

function stopSentence(
  { x, y }: Chart,
  { lines }: ChartLayout,
  stop: Stop,
): string {
  const values = stop.values.map(
    (each) => `${lines[each.line]?.name ?? ""} ${stopText(each)}`,
  );
  return `${axisValue(x, stop.value)} ${x.label}: ${values.join(", ")} ${y.label}`;
}
