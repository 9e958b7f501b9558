/** Footprint: how samples spread over pages, or how first touches made memory grow. */
import type { SurveySide } from "../../engine/generated/SurveySide";
import {
  coverRow,
  growthChart,
  popularityChart,
} from "../../model/samples/popularity";
import type { SideKey } from "../../model/samples/text";
import { ChartFigure } from "../shared/chart/ChartFigure";
import { CompletenessTag, SamplesPanel } from "./SamplesPanel";
import type { SampleSource } from "./source";

export interface PopularityPanelProps {
  readonly of: SideKey;
  readonly side: SurveySide;
  readonly nanoseconds: number | null;
  readonly source: SampleSource;
}

export function PopularityPanel(props: PopularityPanelProps) {
  const { of, side, nanoseconds, source } = props;
  const chart =
    of === "faults"
      ? growthChart(side, nanoseconds)
      : popularityChart(of, side);
  return (
    <SamplesPanel title="Footprint" source={source}>
      <div className="samples-chart">
        <ChartFigure
          id={source.file}
          chart={chart}
          tag={<CompletenessTag of={source} />}
        />
      </div>
      {of === "faults" ? null : <CoverTable side={side} />}
      <p className="t2 samples-note">
        {of === "faults"
          ? "Pages touched before the recording, or mapped with a huge page, have no fault of their own."
          : "Pages without a sample are not counted, so the real footprint is at least this large. A page counts once per process that uses it; a kernel page counts once."}
      </p>
    </SamplesPanel>
  );
}

function CoverTable({ side }: { readonly side: SurveySide }) {
  return (
    <table className="cover-table" aria-label="Pages with the most samples">
      <thead>
        <tr>
          <th scope="col">page size</th>
          <th scope="col">touched</th>
          <th scope="col">they span</th>
          <th scope="col">50 % on</th>
          <th scope="col">90 % on</th>
          <th scope="col">99 % on</th>
        </tr>
      </thead>
      <tbody>
        {side.popularity
          .map(coverRow)
          .map(({ pages, total, memory, cover }) => (
            <tr key={pages}>
              <th scope="row">{pages}</th>
              <td>{total}</td>
              <td>{memory}</td>
              {cover.map((n, at) => (
                <td key={at}>{n}</td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
}
