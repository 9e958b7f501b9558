/** The run button, the progress with a cancel button, or the outcome. */
import {
  isUnderWay,
  stateText,
  tallyText,
} from "../../model/experiments/state";
import type {
  ExperimentState,
  ShownResult,
} from "../../model/experiments/state";
import { Icon } from "../shared/Icon";
import { OriginNote } from "./OriginNote";
import { StateMark } from "./StateMark";

export interface RunControlProps {
  readonly state: ExperimentState | undefined;
  readonly shown: ShownResult | undefined;
  readonly onRun: () => void;
  readonly onCancel: () => void;
  /** Scrolls to the results, which are below on narrow screens. */
  readonly onShow: () => void;
}

export function RunControl({
  state,
  shown,
  onRun,
  onCancel,
  onShow,
}: RunControlProps) {
  const underWay = isUnderWay(state);
  const words = runText(state, shown);
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
          className={shown ? "btn" : "btn primary"}
          onClick={onRun}
        >
          <Icon name="play" size={12} />
          {state === undefined ? "Run it here" : "Run again"}
        </button>
      )}
      <span className="t2" data-testid="experiment-state">
        {shown && !underWay ? <StateMark tables={shown.result.tables} /> : null}
        {words}
      </span>
      {/* The progress changes ten times a second, so only the state is read aloud. */}
      <span className="sr-only" role="status">
        {state?.status === "running" ? "running" : words}
      </span>
      {shown ? (
        <button
          type="button"
          className="btn quiet experiment-jump"
          onClick={onShow}
        >
          See results
        </button>
      ) : null}
      {shown ? <OriginNote origin={shown.origin} /> : null}
      {state?.status === "failed" ? (
        <p className="experiment-problem" role="alert">
          {state.why}
        </p>
      ) : null}
    </div>
  );
}

/** A run that is not done tells its state, any other the tally of what is shown. */
function runText(
  state: ExperimentState | undefined,
  shown: ShownResult | undefined,
): string {
  if (state && state.status !== "done") return stateText(state);
  return shown ? tallyText(shown.result) : "a few seconds";
}
