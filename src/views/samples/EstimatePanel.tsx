/** Hit rates of the machine's TLB by a model: an estimate with its interval, labelled as one. */
import type { ReactNode } from "react";
import type { SurveyEstimate } from "../../engine/generated/SurveyEstimate";
import type { SurveySide } from "../../engine/generated/SurveySide";
import { percent } from "../../model/shared/format";
import {
  areFew,
  estimateColumns,
  estimateNotes,
} from "../../model/samples/tables";
import type { SideKey } from "../../model/samples/text";
import { DataTable } from "../shared/DataTable";
import { SamplesPanel } from "./SamplesPanel";
import { facts } from "./source";
import type { SampleSource } from "./source";

export interface EstimatePanelProps {
  readonly of: SideKey;
  readonly side: SurveySide;
  readonly source: SampleSource;
  /** The picker of the machine. */
  readonly picker: ReactNode;
}

export function EstimatePanel(props: EstimatePanelProps) {
  const { of, side, source, picker } = props;
  const few = areFew(side);
  const isSure = ({ all_fit: fits }: SurveyEstimate) => !(fits && few);
  return (
    <SamplesPanel
      title="Hit rates by a model, not measured"
      source={source}
      controls={picker}
    >
      <p className="samples-note">
        The independent reference model (Che’s approximation): the page of each
        access depends only on page popularity, not on earlier accesses. TLBs
        are fully associative LRU, one per process. Programs reuse pages sooner,
        so most hit more often. The interval is a 95 % bootstrap interval, valid
        if the model holds.
      </p>
      {side.estimates.length > 0 ? (
        <DataTable<SurveyEstimate>
          id="estimates"
          title="Estimated hit rates"
          columns={estimateColumns(isSure)}
          rows={side.estimates}
          keyOf={({ pages, level }) => `${pages} ${level}`}
          picture={{
            head: "0 to 100 %",
            rank: 2,
            of: (row) => <Interval of={row} isSure={isSure(row)} />,
          }}
          file={`${source.file}-model`}
          facts={{
            ...facts(source),
            model: "independent references (Che), not measured",
          }}
        />
      ) : (
        <p className="t2 samples-note">
          The machine has no TLB for such pages, so there is nothing to
          estimate.
        </p>
      )}
      {estimateNotes(of, side).map((note) => (
        <p key={note} className="samples-note">
          {note}
        </p>
      ))}
    </SamplesPanel>
  );
}

const WIDTH = 168;
const HEIGHT = 14;

/** The interval as a line over 0 to 100 %, with a ring at the estimate. */
function Interval({
  of,
  isSure,
}: {
  readonly of: SurveyEstimate;
  readonly isSure: boolean;
}) {
  const { low, high, hit_rate: rate } = of;
  const x = (share: number) => 5 + (WIDTH - 10) * share;
  const words = `${percent(low)} to ${percent(high)}`;
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={isSure ? `${percent(rate)}, ${words}` : words}
    >
      <path
        d={`M${x(0)} 7H${x(1)}M${x(0)} 4V10M${x(0.5)} 5V9M${x(1)} 4V10`}
        stroke="var(--line)"
      />
      <path
        d={`M${x(low)} 7H${x(high)}M${x(low)} 3V11M${x(high)} 3V11`}
        stroke="var(--text)"
        strokeWidth="1.5"
      />
      {isSure ? (
        <circle
          cx={x(rate)}
          cy="7"
          r="3.5"
          fill="var(--surface)"
          stroke="var(--text)"
          strokeWidth="1.5"
        />
      ) : null}
    </svg>
  );
}
