/** An import under way: bytes, rate, accesses found so far, and a way out. */
import { byteRate, count, duration, fileSize } from "../../model/shared/format";
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
  /** Accesses after which the rest of the file is left. */
  readonly limit?: number;
  /** Not all of the file's accesses are wanted; the limit counts those that are. */
  readonly hasSelection?: boolean;
  readonly progress?: ReadProgress;
  readonly onCancel: () => void;
}

export function ImportProgress(props: ImportProgressProps) {
  const { name, size, limit, hasSelection, progress, onCancel } = props;
  const done = progress?.done ?? 0;
  const end = endOf(size, progress, limit);
  const first = `first ${count(limit ?? 0)} accesses`;
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
        <ProgressBar label={`Reading ${name}`} done={done} total={end} />
        <p className="t2 small">
          {fileSize(done)} of{" "}
          {end < size ? `about ${fileSize(end)}` : fileSize(size)}
          {progress ? ` · ${byteRate(progress.rate)}` : ""}
          {progress && progress.rate > 0
            ? ` · ${duration((1000 * (end - done)) / progress.rate)} left`
            : ""}
          {progress?.accesses === undefined
            ? ""
            : ` · ${count(progress.accesses)} accesses so far`}
        </p>
        {limit === undefined ? null : (
          <p className="t2 small">
            {end < size
              ? `It ends with the ${first}${hasSelection ? " of those chosen" : ""}: of the file’s ${fileSize(size)} the rest is not read.`
              : `It ends with the file, or with ${hasSelection ? `the ${first} of those chosen` : `its ${first}`}.`}
          </p>
        )}
      </div>
      <button type="button" className="btn" onClick={onCancel}>
        Cancel
      </button>
    </section>
  );
}

/** The byte at which the import ends: the limit comes where as many accesses a byte as so far reach it. */
function endOf(
  size: number,
  progress: ReadProgress | undefined,
  limit: number | undefined,
): number {
  const { done = 0, accesses = 0 } = progress ?? {};
  if (limit === undefined || accesses === 0) return size;
  return Math.min(size, Math.max(done, (done * limit) / accesses));
}
