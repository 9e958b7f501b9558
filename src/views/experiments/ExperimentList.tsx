/** The gallery: one cell per experiment with its question, its answer, and a picture of its result. */
import type { ExperimentInfo } from "../../engine/generated/ExperimentInfo";
import { firstSentence } from "../../model/experiments/picture";
import type { Shipped } from "../../model/experiments/shipped";
import {
  isUnderWay,
  publishedText,
  shownResult,
  stateText,
  tallyText,
} from "../../model/experiments/state";
import type { ExperimentState } from "../../model/experiments/state";
import { ProgressBar } from "../shared/Progress";
import { StateMark } from "./StateMark";
import { Thumbnail } from "./Thumbnail";
import { VerdictIcon } from "./VerdictIcon";
import { Words } from "./Words";
import "./experiments.css";

export interface ExperimentListProps {
  /** `undefined` until the experiments are loaded. */
  readonly experiments: readonly ExperimentInfo[] | undefined;
  /** The results that this version ships. */
  readonly shipped: Shipped;
  readonly states: Readonly<Record<string, ExperimentState>>;
  /** Returns the link to an experiment. */
  readonly addressOf: (id: string) => string;
  /** The link to the page "How we know". */
  readonly knowAddress: string;
  readonly onRunAll: () => void;
  readonly onCancelAll: () => void;
}

export function ExperimentList(props: ExperimentListProps) {
  const { experiments, shipped, states, addressOf, knowAddress } = props;
  const { onRunAll, onCancelAll } = props;
  const all = experiments ?? [];
  const results = Object.values(shipped);
  const busy = all.some(({ id }) => isUnderWay(states[id]));
  const done = all.filter(({ id }) => states[id]?.status === "done").length;
  return (
    <div className="gallery">
      <div className="gallery-head">
        <div>
          <h2 className="experiment-title" tabIndex={-1}>
            Experiments
          </h2>
          <p className="t2">
            Published measurements, and what follows from them, in the
            simulator. The results were computed when this version was built;
            each one can run again here. <a href={knowAddress}>How we know</a>{" "}
            checks the simulator itself.
          </p>
          {results.length > 0 ? (
            <p className="t2" data-testid="published">
              Published numbers: {publishedText(results, "numbers")}. Published
              directions: {publishedText(results, "directions")}. Everything
              else that a cell counts is no measurement: it is derived on paper,
              follows from the configuration, is simulated elsewhere, expected
              by us, or a test of a hypothesis.
            </p>
          ) : null}
          <ul className="gallery-marks t2 small" aria-label="Marks">
            <li>
              <VerdictIcon verdict="agrees" /> every verdict agrees, published
              or not
            </li>
            <li>
              <VerdictIcon verdict="undecided" /> a published error is too large
            </li>
            <li>
              <VerdictIcon verdict="differs" /> a number differs, with a
              hypothesis
            </li>
          </ul>
        </div>
        <span className="spacer" />
        <span className="t2" role="status">
          {busy || done > 0 ? `${done} of ${all.length} run here` : ""}
        </span>
        {busy ? (
          <button type="button" className="btn" onClick={onCancelAll}>
            Cancel all
          </button>
        ) : (
          <button
            type="button"
            className="btn"
            aria-disabled={all.length === done}
            title={
              all.length > 0 && all.length === done
                ? "All experiments have run here"
                : undefined
            }
            onClick={() => {
              if (all.length > done) onRunAll();
            }}
          >
            Run all here
          </button>
        )}
      </div>
      {experiments ? (
        <ul className="gallery-list">
          {experiments.map((info) => (
            <Cell
              key={info.id}
              info={info}
              shipped={shipped}
              state={states[info.id]}
              address={addressOf(info.id)}
            />
          ))}
        </ul>
      ) : (
        <p className="gallery-loading t2" role="status">
          Loading the experiments…
        </p>
      )}
    </div>
  );
}

interface CellProps {
  readonly info: ExperimentInfo;
  readonly shipped: Shipped;
  readonly state: ExperimentState | undefined;
  readonly address: string;
}

function Cell({ info, shipped, state, address }: CellProps) {
  const { id, title, question } = info;
  const shown = shownResult(state, shipped[id]);
  return (
    <li className="gallery-cell" data-testid={`experiment-${id}`}>
      {state?.status === "running" ? (
        <ProgressBar label={title} {...state.progress} />
      ) : null}
      <h3>
        <a href={address}>{title}</a>
      </h3>
      <p className="gallery-answer">
        {shown ? <Words text={firstSentence(shown.result.answer)} /> : question}
      </p>
      {shown ? (
        <div className="gallery-picture">
          <Thumbnail result={shown.result} />
        </div>
      ) : null}
      <p className="gallery-state t2 small">
        {shown ? (
          <span className="gallery-mark">
            <StateMark tables={shown.result.tables} />
            {tallyText(shown.result)}
          </span>
        ) : null}
        <span className="t3">
          {state && state.status !== "done"
            ? stateText(state)
            : shown?.origin.kind === "here"
              ? "run here"
              : null}
        </span>
      </p>
    </li>
  );
}
