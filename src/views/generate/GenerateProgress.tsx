/** A trace that is being generated: accesses, rate, and a cancel button. */
import { accessRate, count, counted } from "../../model/shared/format";
import { ProgressBar } from "../shared/Progress";

export interface GenerateProgressProps {
  readonly name: string;
  readonly progress?:
    | { readonly done: number; readonly total?: number; readonly rate: number }
    | undefined;
  readonly onCancel: () => void;
}

export function GenerateProgress(props: GenerateProgressProps) {
  const { name, progress, onCancel } = props;
  const done = progress?.done ?? 0;
  const total = progress?.total;
  return (
    <section
      className="message import-progress"
      aria-label={`Generating ${name}`}
      data-testid="generate-progress"
    >
      <div className="message-text">
        <p>
          Generating <b className="mono">{name}</b>
        </p>
        <ProgressBar label={`Generating ${name}`} done={done} total={total} />
        <p className="t2 small">
          {total === undefined ? "" : `${count(done)} of `}
          {counted(total ?? done, "access", "accesses")}
          {progress ? ` · ${accessRate(progress.rate)}` : ""}
        </p>
      </div>
      <button type="button" className="btn" onClick={onCancel}>
        Cancel
      </button>
    </section>
  );
}
