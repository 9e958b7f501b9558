/** The result of a measurement: sentences, the chart, the choice of a model, and the file. */
import type { ChaseFit } from "../../engine/generated/ChaseFit";
import { fitId, fitName, measureChart } from "../../model/measure/chart";
import type { MeasureResult } from "../../model/measure/state";
import { ChartFigure } from "../shared/chart/ChartFigure";
import { Download } from "../shared/Download";

export interface MeasureResultsProps {
  readonly result: MeasureResult;
  /** The last measurement of every page. */
  readonly everyPage: MeasureResult | undefined;
  readonly fit: ChaseFit | undefined;
  readonly onFit: (id: string) => void;
  readonly onSimulate: (() => void) | undefined;
}

export function MeasureResults(props: MeasureResultsProps) {
  const { result, everyPage, fit, onFit, onSimulate } = props;
  const { report } = result;
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
            make={() => file(result, everyPage)}
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
        <ChartFigure
          id="measurement"
          chart={measureChart(report, fit, everyPage?.report)}
        />
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
function file(
  result: MeasureResult,
  everyPage: MeasureResult | undefined,
): Blob {
  const isCompared = result.samples.stride > 1 && everyPage;
  const measurements = isCompared ? [everyPage, result] : [result];
  const text = JSON.stringify({ measurements }, null, 1);
  return new Blob([text], { type: "application/json" });
}
