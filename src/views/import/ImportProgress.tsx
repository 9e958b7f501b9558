/** An import under way: bytes, rate, accesses found so far, and a way out. */
import { byteRate, count, duration, fileSize } from "../../model/format";
import { ProgressBar } from "../shared/Progress";
import "./import.css";

/** How far the file has been read. */
export interface ReadProgress {
  /** Bytes. */
  readonly done: number;
  /** Bytes per second. */
  readonly rate: number;
  readonly accesses?: number;
}

export interface ImportProgressProps {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly progress?: ReadProgress;
  readonly onCancel: () => void;
}

export function ImportProgress(props: ImportProgressProps) {
  const { name, size, progress, onCancel } = props;
  const done = progress?.done ?? 0;
  return (
    <section
      className="message import-progress"
      aria-label={`Reading ${name}`}
      data-testid="import-progress"
    >
      <div className="message-text">
        <p>
          Reading <b className="mono">{name}</b>
        </p>
        <ProgressBar label={`Reading ${name}`} done={done} total={size} />
        <p className="t2 small">
          {fileSize(done)} of {fileSize(size)}
          {progress ? ` · ${byteRate(progress.rate)}` : ""}
          {progress && progress.rate > 0
            ? ` · ${duration((1000 * (size - done)) / progress.rate)} left`
            : ""}
          {progress?.accesses === undefined
            ? ""
            : ` · ${count(progress.accesses)} accesses so far`}
        </p>
      </div>
      <button type="button" className="btn" onClick={onCancel}>
        Cancel
      </button>
    </section>
  );
}
