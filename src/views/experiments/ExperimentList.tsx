/** The gallery: one cell per experiment with its question and its state. */
import type { ExperimentInfo } from "../../engine/generated/ExperimentInfo";
import { isUnderWay, stateText } from "../../model/experiments/state";
import type { ExperimentState } from "../../model/experiments/state";
import { ProgressBar } from "../shared/Progress";
import { StateMark } from "./StateMark";
import "./experiments.css";

export interface ExperimentListProps {
  /** `undefined` until the experiments are loaded. */
  readonly experiments: readonly ExperimentInfo[] | undefined;
  readonly states: Readonly<Record<string, ExperimentState>>;
  /** Returns the link to an experiment. */
  readonly addressOf: (id: string) => string;
  /** The link to the page "How we know". */
  readonly knowAddress: string;
  readonly onRunAll: () => void;
  readonly onCancelAll: () => void;
}

export function ExperimentList(props: ExperimentListProps) {
  const { experiments, states, addressOf, knowAddress } = props;
  const { onRunAll, onCancelAll } = props;
  const all = experiments ?? [];
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
            Published measurements, repeated in the simulator. The mark of an
            experiment is that of its worst row: agrees, undecided or differs.{" "}
            <a href={knowAddress}>How we know</a> checks the simulator itself.
          </p>
        </div>
        <span className="spacer" />
        <span className="t2" role="status">
          {busy || done > 0 ? `${done} of ${all.length} done` : ""}
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
                ? "All experiments have run"
                : undefined
            }
            onClick={() => {
              if (all.length > done) onRunAll();
            }}
          >
            Run all
          </button>
        )}
      </div>
      {experiments ? (
        <ul className="gallery-list">
          {experiments.map((info) => (
            <Cell
              key={info.id}
              info={info}
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
  readonly state: ExperimentState | undefined;
  readonly address: string;
}

function Cell({ info, state, address }: CellProps) {
  const { id, title, question, sources } = info;
  return (
    <li className="gallery-cell" data-testid={`experiment-${id}`}>
      {state?.status === "running" ? (
        <ProgressBar label={title} {...state.progress} />
      ) : null}
      <h3>
        <a href={address}>{title}</a>
      </h3>
      <p className="gallery-question">{question}</p>
      {state?.status === "done" ? (
        <p className="gallery-answer">{state.result.answer}</p>
      ) : (
        <p className="t3 small">
          {sources.map(({ title }) => title).join(" · ")}
        </p>
      )}
      <p className="gallery-state t2 small">
        <StateMark state={state} />
        {stateText(state)}
      </p>
    </li>
  );
}
