/** Measures this computer: what happens and the controls on the left, the result on the right. */
import type { ChaseFit } from "../../engine/generated/ChaseFit";
import { STRIDES } from "../../model/measure/state";
import type { MeasureState } from "../../model/measure/state";
import { ProgressBar } from "../shared/Progress";
import { Segmented } from "../shared/Segmented";
import { MeasureResults } from "./MeasureResults";
import "../shared/splitPage.css";
import "./measure.css";

export interface MeasurePageProps {
  readonly measure: MeasureState | undefined;
  /** The model that is drawn. */
  readonly fit: ChaseFit | undefined;
  readonly seconds: number;
  readonly onSeconds: (seconds: number) => void;
  /** Every `stride`-th page is used. */
  readonly stride: number;
  readonly onStride: (stride: number) => void;
  readonly onBegin: () => void;
  readonly onCancel: () => void;
  /** Chooses a model by its `fitId`. */
  readonly onFit: (id: string) => void;
  /** Missing if there is no machine to simulate. */
  readonly onSimulate: (() => void) | undefined;
}

const TIMES = [10, 20, 60];

export function MeasurePage(props: MeasurePageProps) {
  const { measure, fit, seconds, onSeconds, onBegin, onCancel } = props;
  const { stride, onStride, onFit, onSimulate } = props;
  const { status, result, everyPage } = measure ?? {};
  const isRunning = status?.is === "measuring" || status?.is === "comparing";
  return (
    <div className="measure split-page" data-testid="measure">
      <section className="split-text" aria-label="Measurement">
        <h2>Measure</h2>
        <p className="measure-intro">
          How many pages do the TLBs of this computer hold, and what does a miss
          cost? The browser measures it, and compares it with the CPU models.
        </p>
        <div className="measure-buttons">
          <Segmented
            label="Seconds to measure"
            choices={TIMES.map((time) => ({
              value: String(time),
              label: `${time} s`,
            }))}
            value={String(seconds)}
            onChange={(value) => onSeconds(Number(value))}
          />
        </div>
        <label className="measure-stride">
          Pages that are used
          <select
            className="field"
            value={stride}
            onChange={({ target }) => onStride(Number(target.value))}
          >
            {STRIDES.map((each) => (
              <option key={each} value={each}>
                {each === 1 ? "every page" : `1 of every ${each}`}
              </option>
            ))}
          </select>
        </label>
        {stride > 1 ? (
          <p className="t2 small">
            {everyPage
              ? "The result is compared with every page: it shows which bits of the page number choose a set."
              : "Measure every page first: the comparison shows which bits of the page number choose a set."}
          </p>
        ) : null}
        <div className="measure-buttons">
          {isRunning ? (
            <button type="button" className="btn" onClick={onCancel}>
              Cancel
            </button>
          ) : (
            <button type="button" className="btn primary" onClick={onBegin}>
              {result ? "Measure again" : "Measure this computer"}
            </button>
          )}
        </div>
        <p className="t2" role="status">
          {statusText(status)}
        </p>
        <p className="t2 small">
          Close other programs and tabs first. Nothing leaves this computer. A
          page cannot ask for huge pages, because the browser maps its memory.
          In a shell, <code>pagewalk measure --pages 4K,2M</code> can.
        </p>
      </section>
      <section
        className="split-results"
        aria-label="Results"
        aria-busy={isRunning}
      >
        <div className="split-bar">
          {isRunning ? (
            <ProgressBar
              label={
                status.is === "measuring"
                  ? "Measuring"
                  : "Comparing with models"
              }
              done={status.progress?.done ?? 0}
              total={status.progress?.total}
            />
          ) : null}
        </div>
        {status?.is === "failed" ? (
          <p className="measure-problem" role="alert">
            {status.why}
          </p>
        ) : null}
        {result ? (
          <MeasureResults
            result={result}
            everyPage={everyPage}
            fit={fit}
            onFit={onFit}
            onSimulate={onSimulate}
          />
        ) : (
          <Method />
        )}
      </section>
    </div>
  );
}

function statusText(status: MeasureState["status"] | undefined): string {
  switch (status?.is) {
    case "measuring": {
      const { progress } = status;
      return progress
        ? `Measuring: ${Math.floor(progress.done)} of ${progress.total} s, round ${progress.rounds + 1}`
        : "Loading";
    }
    case "comparing":
      return "Comparing with the models";
    case "cancelled":
      return "Cancelled";
    case undefined:
    case "done":
    case "failed":
      return "";
  }
}

/** What is going to happen, before the first measurement. */
function Method() {
  return (
    <div className="measure-section">
      <h3>What is going to happen</h3>
      <ol className="measure-list">
        <li>
          A loop loads one word from each of 4 to 16,384 pages, in random order.
          Each load needs the one before, so the processor cannot overlap them.
        </li>
        <li>
          The same number of cache lines, packed without gaps, is the base. It
          is subtracted, so the rest is the cost of translation.
        </li>
        <li>
          While the TLB holds all pages, the cost is 0. Where it rises, a level
          is full: the height of the step is the cost of the next level.
        </li>
        <li>
          Each CPU model then runs the same loads in the simulator. The nearest
          curve is drawn over yours.
        </li>
      </ol>
    </div>
  );
}
