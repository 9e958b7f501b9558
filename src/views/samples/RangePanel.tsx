/** Advice on huge pages: the samples and the density of each 2M range. */
import type { SurveyRange } from "../../engine/generated/SurveyRange";
import type { SurveySide } from "../../engine/generated/SurveySide";
import { adviceOf, densities } from "../../model/samples/ranges";
import type { SideKey } from "../../model/samples/text";
import { rangeColumns } from "../../model/samples/tables";
import { DataTable } from "../shared/DataTable";
import { Ramp } from "../shared/Legend";
import { SamplesPanel } from "./SamplesPanel";
import { facts } from "./source";
import type { SampleSource } from "./source";

export interface RangePanelProps {
  readonly of: SideKey;
  readonly side: SurveySide;
  readonly source: SampleSource;
}

/** Colours of the strokes, without the palest step, which a thin stroke cannot show. */
const RAMP = ["--heat0", "--heat2", "--heat3", "--heat4"] as const;
/** The colour index of a stroke, by the number of touched pages among its four. */
const STEPS = [0, 1, 2, 2, 3] as const;

export function RangePanel({ of, side, source }: RangePanelProps) {
  const { rows } = side.ranges;
  return (
    <SamplesPanel
      title={of === "code" ? "Huge pages for code" : "Huge pages"}
      source={source}
    >
      {adviceOf(of, side).map((sentence) => (
        <p key={sentence} className="samples-note">
          {sentence}
        </p>
      ))}
      {rows.length > 0 ? (
        <DataTable<SurveyRange>
          id="ranges"
          title="Ranges of 2M"
          columns={rangeColumns(side)}
          rows={rows}
          keyOf={({ start, pid }) => `${start} ${pid}`}
          picture={{
            head: "pages touched",
            rank: 5,
            legend: <StripLegend />,
            of: (row) => <Strip of={row} />,
          }}
          file={`${source.file}-huge-pages`}
          facts={facts(source)}
          mono={["start"]}
        />
      ) : null}
    </SamplesPanel>
  );
}

function StripLegend() {
  return (
    <p className="t2 small samples-note samples-ramp">
      <span>The 512 pages of a range, four per stroke: none touched</span>
      <Ramp tokens={RAMP} />
      <span>all four</span>
    </p>
  );
}

const STROKE = 2;
const HEIGHT = 14;

/** The pages of a range, the first on the left. */
function Strip({ of }: { readonly of: SurveyRange }) {
  const strokes = densities(of.strip);
  return (
    <svg
      width={STROKE * strokes.length}
      height={HEIGHT}
      role="img"
      aria-label={`${of.touched} of 512 pages`}
    >
      <rect
        width={STROKE * strokes.length}
        height={HEIGHT}
        fill={`var(${RAMP[0]})`}
        stroke="var(--line)"
      />
      {strokes.map((n, at) =>
        n === 0 ? null : (
          <rect
            // A stroke has no name except its index.
            key={at}
            x={STROKE * at}
            width={STROKE}
            height={HEIGHT}
            fill={`var(${RAMP[STEPS[n] ?? 3]})`}
          />
        ),
      )}
    </svg>
  );
}
