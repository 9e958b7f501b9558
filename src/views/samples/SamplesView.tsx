/** A recording of samples: what it shows about a program, and what it cannot show. */
import type { ReactNode } from "react";
import type { SurveyReport } from "../../engine/generated/SurveyReport";
import type { TraceView } from "../../engine/generated/TraceView";
import { fileName } from "../../model/shared/csv";
import { spanText } from "../../model/samples/popularity";
import type { SurveyChoice, SurveyState } from "../../model/samples/state";
import { isMeasured } from "../../model/samples/levels";
import { SIDE_WORDS, sidesOf, sourceText } from "../../model/samples/text";
import type { SideKey } from "../../model/samples/text";
import { useChoice } from "../shared/choices";
import { ProgressBar } from "../shared/Progress";
import { Consecutive } from "./Consecutive";
import { EstimatePanel } from "./EstimatePanel";
import { LevelPanel } from "./LevelPanel";
import { LevelPatterns } from "./LevelBar";
import { PopularityPanel } from "./PopularityPanel";
import { RangePanel } from "./RangePanel";
import { SamplesHead } from "./SamplesHead";
import { SamplesPanel } from "./SamplesPanel";
import { sourceWord } from "./source";
import "./samples.css";

export interface SamplesViewProps {
  readonly trace: TraceView;
  readonly survey: SurveyState | undefined;
  readonly choice: SurveyChoice;
  /** The picker of the machine for the estimates. */
  readonly picker: ReactNode;
  readonly onChoose: (choice: SurveyChoice) => void;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
  readonly onReplay: () => void;
}

export function SamplesView(props: SamplesViewProps) {
  const { trace, survey, onCancel, onAgain } = props;
  const report = survey?.report;
  return (
    <div
      className="samples"
      data-stale={survey?.status !== "done" || undefined}
      data-testid="samples"
    >
      <LevelPatterns />
      <SurveyTask survey={survey} onCancel={onCancel} onAgain={onAgain} />
      {report ? (
        <Report {...props} report={report} />
      ) : (
        <header className="samples-head">
          <div className="samples-title">
            <h2 className="mono">{trace.name}</h2>
            <p className="t2">{spanText(trace.samples ?? 0, null)}</p>
          </div>
        </header>
      )}
    </div>
  );
}

interface SurveyTaskProps extends Pick<
  SamplesViewProps,
  "onCancel" | "onAgain"
> {
  readonly survey: SurveyState | undefined;
}

/** The progress with a cancel button, or why there is no result with a button to retry. */
function SurveyTask({ survey, onCancel, onAgain }: SurveyTaskProps) {
  switch (survey?.status) {
    case undefined:
    case "done":
      return null;
    case "running":
      return (
        <div className="samples-task">
          <ProgressBar
            label="Counting samples"
            done={survey.progress?.done ?? 0}
            total={survey.progress?.total}
          />
          {survey.progress ? (
            <p className="samples-note">
              Counting samples…{" "}
              <button type="button" className="btn" onClick={onCancel}>
                Cancel
              </button>
            </p>
          ) : null}
        </div>
      );
    case "cancelled":
    case "failed":
      return (
        <p className="samples-note samples-task" role="alert">
          {survey.status === "failed" ? survey.why : "Counting was cancelled."}{" "}
          <button type="button" className="btn" onClick={onAgain}>
            Count again
          </button>
        </p>
      );
  }
}

interface ReportProps extends SamplesViewProps {
  readonly report: SurveyReport;
}

function Report(props: ReportProps) {
  const { trace, report, choice, picker, onChoose, onReplay } = props;
  const sides = sidesOf(report);
  const [of, setSide] = useChoice<SideKey>("side", sides);
  const side = of && report[of];
  const { sampling, format, part = false } = trace.import;
  if (!side || !sampling)
    return <NothingLeft trace={trace} onChoose={onChoose} />;
  const { completeness } = side;
  const source = {
    completeness,
    part,
    text: sourceText(side, sampling),
    file: fileName(
      trace.name,
      SIDE_WORDS[of],
      sourceWord({ completeness, part }).replace(/ only|,/gu, ""),
    ),
  };
  const shared = { of, side, source };
  return (
    <>
      <SamplesHead
        trace={trace}
        sides={sides}
        of={of}
        side={side}
        choice={choice}
        span={spanText(report.samples, report.nanoseconds)}
        onSide={setSide}
        onChoose={onChoose}
      />
      <div className="samples-panels">
        <LevelPanel {...shared} />
        {side.pages_4k === 0 ? (
          <SamplesPanel title="No pages" source={source}>
            <p>
              {isMeasured(side.total)
                ? "The samples say where translations were found, but have no addresses"
                : "The samples have no addresses"}
              , so there is no footprint, huge-page advice or hit rate.{" "}
              {format.startsWith("perf-script") ? (
                <>
                  Print the recording with <code>perf script -F +addr</code>.
                </>
              ) : (
                <>
                  <code>perf mem record</code> records addresses.
                </>
              )}
            </p>
          </SamplesPanel>
        ) : (
          <>
            <PopularityPanel {...shared} nanoseconds={report.nanoseconds} />
            <RangePanel {...shared} />
            {of === "faults" ? null : (
              <EstimatePanel {...shared} picker={picker} />
            )}
            <SamplesPanel title="Not a stream of accesses" source={source}>
              <Consecutive nAccesses={trace.n_accesses} onReplay={onReplay} />
            </SamplesPanel>
          </>
        )}
      </div>
    </>
  );
}

/** Shown if the filters exclude all samples. */
function NothingLeft({
  trace,
  onChoose,
}: Pick<SamplesViewProps, "trace" | "onChoose">) {
  return (
    <header className="samples-head">
      <div className="samples-title">
        <h2 className="mono">{trace.name}</h2>
        <p>
          The filters exclude all its samples.{" "}
          <button
            type="button"
            className="btn"
            onClick={() => onChoose({ who: "all" })}
          >
            Count all
          </button>
        </p>
      </div>
    </header>
  );
}
