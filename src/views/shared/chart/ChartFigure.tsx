/** A chart with title, legend if lines cannot be labelled directly, and buttons to save it. */
import { useRef } from "react";
import type { ReactNode } from "react";
import type { Chart } from "../../../engine/generated/Chart";
import {
  chartLayout,
  seriesName,
  stopText,
} from "../../../model/shared/chart/layout";
import type { ChartLayout } from "../../../model/shared/chart/layout";
import { axisValue } from "../../../model/shared/chart/scale";
import { chartCsv } from "../../../model/experiments/resultCsv";
import { useSize, useTextScale } from "../useSize";
import { ChartLines } from "./ChartLines";
import { ChartSurface } from "./ChartSurface";
import { SavePicture } from "../picture/SavePicture";
import { LineSample } from "./LineSample";
import "./chart.css";

export interface ChartFigureProps {
  /** The id of the experiment, for file names. */
  readonly id: string;
  readonly chart: Chart;
  /** The width before the chart is measured. */
  readonly width?: number;
  /** The completeness of the trace, as part of the picture. */
  readonly tag?: ReactNode;
}

const HEIGHT = 300;
/** With more lines than this, each line gets its own legend row. */
const MANY = 5;

export function ChartFigure(props: ChartFigureProps) {
  const { id, chart, width = 640, tag } = props;
  const plot = useRef<HTMLDivElement>(null);
  const size = useSize(plot, { width, height: HEIGHT });
  const scale = useTextScale();
  const height = HEIGHT * scale;
  const layout = chartLayout(chart, { width: size.width, height, scale });
  const { title } = chart;
  // No legend is needed if the axis names the line.
  const isNamed = layout.lines.every(({ name }) => name === chart.y.label);
  return (
    <figure
      className="chart"
      data-picture=""
      data-wide={chart.series.length > MANY || undefined}
    >
      <figcaption className="chart-head">
        <h3>{title}</h3>
        {tag}
        <span className="spacer" />
        <SavePicture
          what={title}
          file={id}
          tables={[{ csv: () => chartCsv(chart) }]}
        />
      </figcaption>
      {layout.hasLegend && !isNamed ? <ChartLegend layout={layout} /> : null}
      <div className="chart-plot" ref={plot}>
        <svg
          xmlns="http://www.w3.org/2000/svg"
          width={layout.width}
          height={layout.height}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          className="chart-svg"
          role="img"
          aria-label={sentence(chart)}
        >
          <ChartLines chart={chart} layout={layout} />
        </svg>
        <ChartSurface chart={chart} layout={layout} />
      </div>
      <ChartValues chart={chart} layout={layout} />
    </figure>
  );
}

/** The chart in one sentence. */
export function sentence({ title, x, y, series }: Chart): string {
  const lines = series.map(seriesName).join("; ");
  return `${title}: ${y.label} over ${x.label}. Lines: ${lines}.`;
}

function ChartLegend({ layout }: { readonly layout: ChartLayout }) {
  return (
    <ul className="chart-legend">
      {layout.lines.map(({ name, style }) => (
        <li key={name}>
          <LineSample style={style} /> {name}
        </li>
      ))}
    </ul>
  );
}

interface ChartValuesProps {
  readonly chart: Chart;
  readonly layout: ChartLayout;
}

/** A table of all points, for users who cannot see the chart or want exact numbers. */
function ChartValues({ chart, layout }: ChartValuesProps) {
  const { x, y } = chart;
  return (
    <details className="chart-values" data-no-picture="">
      <summary className="t2 small">Values</summary>
      <div
        className="chart-values-table"
        role="region"
        aria-label={`Values of ${chart.title}`}
        // The table scrolls sideways in a narrow box.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table>
          <caption className="t2 small">{y.label}</caption>
          <thead>
            <tr>
              <th scope="col">{x.label}</th>
              {layout.lines.map(({ name }) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {layout.stops.map((stop) => (
              <tr key={stop.value}>
                <th scope="row">{axisValue(x, stop.value)}</th>
                {layout.lines.map(({ name }, line) => {
                  const found = stop.values.find((each) => each.line === line);
                  return (
                    <td key={name} className="number">
                      {found ? stopText(found) : "–"}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
