/** The result of a measurement: sentences, the chart, the choice of a model, and the file. */
import type { ChaseFit } from "../../engine/generated/ChaseFit";
import type { ChaseReport } from "../../engine/generated/ChaseReport";
import type { ChaseSamples } from "../../engine/generated/ChaseSamples";
import { fitId, fitName, measureChart } from "../../model/measure/chart";
import { ChartFigure } from "../shared/chart/ChartFigure";
import { Download } from "../shared/Download";

export interface MeasureResultsProps {
  readonly samples: ChaseSamples;
  readonly report: ChaseReport;
  readonly fit: ChaseFit | undefined;
  readonly onFit: (id: string) => void;
  readonly onSimulate: (() => void) | undefined;
}

export function MeasureResults(props: MeasureResultsProps) {
  const { samples, report, fit, onFit, onSimulate } = props;
  const { fits, sentences, limits } = report;
  return (
    <>
      <div className="measure-section measure-said">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <div className="measure-buttons">
          {onSimulate ? (
            <button type="button" className="btn" onClick={onSimulate}>
              Simulate this machine
            </button>
          ) : null}
          <Download
            label="JSON"
            what="the measurement"
            file="measurement.json"
            make={() => file(samples, report)}
          />
        </div>
      </div>
      <div className="measure-section">
        {fit ? (
          <label className="measure-model">
            Model to compare with, nearest first
            <select
              className="field"
              value={fitId(fit)}
              onChange={({ target }) => onFit(target.value)}
            >
              {fits.map((each) => (
                <option key={fitId(each)} value={fitId(each)}>
                  {fitText(each)}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <ChartFigure id="measurement" chart={measureChart(report, fit)} />
      </div>
      <div className="measure-section">
        <h3>What this does not show</h3>
        <ul className="measure-list">
          {limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </div>
    </>
  );
}

function fitText(fit: ChaseFit): string {
  const differs = fit.agrees ? "" : ", the first level differs";
  return `${fitName(fit)}: factor ${fit.factor.toFixed(2)}${differs}`;
}

/** The form that `pagewalk measure --from` reads. */
function file(samples: ChaseSamples, report: ChaseReport): Blob {
  const text = JSON.stringify({ measurements: [{ samples, report }] }, null, 1);
  return new Blob([text], { type: "application/json" });
}
