/** Counters over intervals: a small chart per event with a common time axis and one cursor. */
import { useRef, useState } from "react";
import type { PointerEvent } from "react";
import type { OverTime } from "../../engine/generated/OverTime";
import { overTimeCsv } from "../../model/replay/pictureCsv";
import { smallChart } from "../../model/measured/chart";
import { counted, fixed } from "../../model/shared/format";
import { useSwitch } from "../shared/choices";
import { TraceTagContext } from "../shared/TraceTag";
import { SavePicture } from "../shared/picture/SavePicture";
import { useSize } from "../shared/useSize";

const HEIGHT = 44;
/** The number of charts shown at first. */
const FIRST = 8;

export function OverTimeCharts({ over }: { readonly over: OverTime }) {
  const plot = useRef<HTMLDivElement>(null);
  const { width } = useSize(plot, { width: 640, height: HEIGHT });
  const [at, setAt] = useState(0);
  const [showsAll, setShowsAll] = useSwitch("events.all");
  const shown = showsAll ? over.events : over.events.slice(0, FIRST);
  const charts = shown.map((event) =>
    smallChart(over, event, { width, height: HEIGHT }),
  );
  const last = over.ends.length - 1;
  const point = Math.min(at, last);
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const time = ((event.clientX - left) / width) * (over.ends.at(-1) ?? 0);
    const found = over.ends.findIndex((end) => end >= time);
    setAt(found < 0 ? last : found);
  };
  return (
    <section className="measured-section" data-picture="">
      <div className="measured-head">
        <h3>Over time</h3>
        {over.intervals_per_point > 1 ? (
          <span className="t2 small">
            each point sums {counted(over.intervals_per_point, "interval")}
          </span>
        ) : null}
        {/* The counters were not counted on the trace, so the tag of the trace does not apply. */}
        <TraceTagContext value={null}>
          <SavePicture
            what="Counters over time"
            file="measured"
            tables={[{ csv: () => overTimeCsv(over) }]}
          />
        </TraceTagContext>
      </div>
      <div className="measured-charts">
        <div ref={plot} className="measured-charts-width" />
        {charts.map(({ name, most, line, area, points }, row) => (
          <figure key={row} className="measured-chart">
            <figcaption>
              <span className="mono">{name}</span>
              <span className="t2">
                {points[point]?.text} · at most {most}
              </span>
            </figcaption>
            <svg
              width={width}
              height={HEIGHT}
              role="img"
              aria-label={`${name} over time, at most ${most}`}
              onPointerMove={move}
              onPointerDown={move}
            >
              <path d={area} className="measured-area" />
              <path d={line} className="measured-line" />
              <line
                className="measured-cursor"
                x1={middle(points[point])}
                x2={middle(points[point])}
                y1={0}
                y2={HEIGHT}
              />
            </svg>
          </figure>
        ))}
        <input
          type="range"
          data-no-picture=""
          min={0}
          max={last}
          value={point}
          aria-label="Interval"
          aria-valuetext={charts[0]?.points[point]?.text}
          onChange={(event) => setAt(Number(event.target.value))}
        />
        <div className="measured-axis t2 small">
          <span>0 s</span>
          <span>{fixed(over.ends.at(-1) ?? 0, 2)} s</span>
        </div>
      </div>
      {over.events.length > FIRST ? (
        <button
          type="button"
          className="btn"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll
            ? `Only the first ${FIRST}`
            : `All ${over.events.length} events`}
        </button>
      ) : null}
    </section>
  );
}

function middle(
  point: { readonly from: number; readonly to: number } | undefined,
): number {
  return point ? (point.from + point.to) / 2 : 0;
}
