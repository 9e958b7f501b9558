/** The run button, the progress with a cancel button, or the outcome. */
import { stateText } from "../../model/experiments/state";
import type { ExperimentState } from "../../model/experiments/state";
import { Icon } from "../shared/Icon";
import { StateMark } from "./StateMark";

export interface RunControlProps {
  readonly state: ExperimentState | undefined;
  readonly onRun: () => void;
  readonly onCancel: () => void;
  /** Scrolls to the results, which are below on narrow screens. */
  readonly onShow: () => void;
}

export function RunControl({
  state,
  onRun,
  onCancel,
  onShow,
}: RunControlProps) {
  const underWay = state?.status === "waiting" || state?.status === "running";
  return (
    <div className="experiment-run">
      {underWay ? (
        // The button keeps its place in the tree, so it keeps the focus.
        <button key="run" type="button" className="btn" onClick={onCancel}>
          <Icon name="close" /> Cancel
        </button>
      ) : (
        <button
          key="run"
          type="button"
          className={state?.status === "done" ? "btn" : "btn primary"}
          onClick={onRun}
        >
          <Icon name="play" size={12} />
          {state === undefined ? "Run" : "Run again"}
        </button>
      )}
      <span className="t2" data-testid="experiment-state">
        <StateMark state={state} />
        {runText(state)}
      </span>
      {/* The progress changes ten times a second, so only the state is read aloud. */}
      <span className="sr-only" role="status">
        {state?.status === "running" ? "running" : runText(state)}
      </span>
      {state?.status === "done" ? (
        <button
          type="button"
          className="btn quiet experiment-jump"
          onClick={onShow}
        >
          See results
        </button>
      ) : null}
      {state?.status === "failed" ? (
        <p className="experiment-problem" role="alert">
          {state.why}
        </p>
      ) : null}
    </div>
  );
}

function runText(state: ExperimentState | undefined): string {
  return state ? stateText(state) : "a few seconds";
}
