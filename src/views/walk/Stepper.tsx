/** Buttons that step through a walk. */
import { counted } from "../../model/shared/format";
import { Icon } from "../shared/Icon";

export interface StepperProps {
  /** The number of steps. */
  readonly n: number;
  /** The current step, from 0; `null` shows the whole walk. */
  readonly at: number | null;
  readonly onForward: () => void;
  readonly onBack: () => void;
  readonly onFirst: () => void;
  readonly onWhole: () => void;
}

export function Stepper(props: StepperProps) {
  const { n, at, onBack, onForward, onWhole, onFirst } = props;
  return (
    <span className="walk-stepper" data-no-picture="">
      {at === null ? null : (
        <button type="button" className="walk-whole" onClick={onWhole}>
          show all
        </button>
      )}
      <span className="walk-step-at" aria-live="off">
        {at === null ? counted(n, "step") : `step ${at + 1} of ${n}`}
      </span>
      <button
        type="button"
        className="btn icon"
        aria-label="First step of the walk"
        title="First step (Home, in the picture)"
        onClick={onFirst}
      >
        <Icon name="start" size={12} />
      </button>
      <button
        type="button"
        className="btn icon"
        aria-label="One step of the walk back"
        title="One step back (←, in the picture)"
        onClick={onBack}
      >
        <Icon name="back" size={12} />
      </button>
      <button
        type="button"
        className="btn icon"
        aria-label="One step of the walk forward"
        title="One step forward (→, in the picture)"
        onClick={onForward}
      >
        <Icon name="step" size={12} />
      </button>
    </span>
  );
}
