/** The run of a program whose accesses become the open trace, and a cancel button. */
import type { ProgramStep } from "../../model/code/program";
import { stepText } from "../../model/code/stepText";
import { fileSize } from "../../model/shared/format";
import { ProgressBar } from "../shared/Progress";

export interface ProgramProgressProps {
  readonly name: string;
  readonly step: ProgramStep;
  readonly onCancel: () => void;
}

export function ProgramProgress({
  name,
  step,
  onCancel,
}: ProgramProgressProps) {
  const label = `Running ${name}`;
  const isLoading = step.what === "loading";
  return (
    <section
      className="message import-progress"
      aria-label={label}
      data-testid="import-progress"
    >
      <div className="message-text">
        <p>
          Running <b className="mono">{name}</b>
        </p>
        {isLoading ? (
          <ProgressBar label={label} done={step.done} total={step.total} />
        ) : (
          <ProgressBar label={label} done={0} />
        )}
        <p className="t2 small">
          {stepText(step)}
          {isLoading
            ? `: ${fileSize(step.done)} of ${fileSize(step.total)}`
            : ""}
        </p>
      </div>
      <button type="button" className="btn" onClick={onCancel}>
        Cancel
      </button>
    </section>
  );
}
