/** The picture of a result at the size of a card. */
import { useRef } from "react";
import type { Chart } from "../../engine/generated/Chart";
import type { ExperimentResult } from "../../engine/generated/ExperimentResult";
import { pictureOf } from "../../model/experiments/picture";
import { chartLayout } from "../../model/shared/chart/layout";
import type { ChartLine } from "../../model/shared/chart/layout";
import { sentence } from "../shared/chart/ChartFigure";
import { ChartLines } from "../shared/chart/ChartLines";
import { LineSample } from "../shared/chart/LineSample";
import { useSize, useTextScale } from "../shared/useSize";
import { BarPicture } from "./BarPicture";
import "./picture.css";

const HEIGHT = 130;

/** The legend of a card has at most this many lines. */
const MOST_NAMES = 4;

export function Thumbnail({ result }: { readonly result: ExperimentResult }) {
  const picture = pictureOf(result);
  if (!picture) return null;
  return picture.kind === "bars" ? (
    <BarPicture bars={picture.bars} />
  ) : (
    <SmallChart chart={picture.chart} />
  );
}

/** Names the published points first. */
const published = (a: ChartLine, b: ChartLine) =>
  Number(b.kind === "published") - Number(a.kind === "published");

function SmallChart({ chart }: { readonly chart: Chart }) {
  const plot = useRef<HTMLDivElement>(null);
  const { width } = useSize(plot, { width: 400, height: HEIGHT });
  const scale = useTextScale();
  const height = HEIGHT * scale;
  const layout = chartLayout(chart, { width, height, scale, isSmall: true });
  const more = layout.lines.length - MOST_NAMES;
  return (
    <div className="thumbnail">
      <p className="t3 small">
        {chart.y.label}, by {chart.x.label}
      </p>
      <div ref={plot}>
        <svg
          width={layout.width}
          height={layout.height}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          className="chart-svg"
          role="img"
          aria-label={sentence(chart)}
        >
          <ChartLines chart={chart} layout={layout} isSmall />
        </svg>
      </div>
      <ul className="thumbnail-names t2">
        {[...layout.lines]
          .sort(published)
          .slice(0, MOST_NAMES)
          .map(({ name, kind, style }) => (
            <li key={`${kind} ${name}`}>
              <LineSample style={style} /> {name}
            </li>
          ))}
        {more > 0 ? <li className="t3">and {more} more</li> : null}
      </ul>
    </div>
  );
}
