/** An import in progress: bytes, rate, accesses found so far, and a cancel button. */
import {
  byteRate,
  counted,
  duration,
  fileSize,
} from "../../model/shared/format";
import type { ProgramStep } from "../../model/code/program";
import { ProgressBar } from "../shared/Progress";
import { ProgramProgress } from "./ProgramProgress";
import "./import.css";

/** How much of the file has been read. */
export interface ReadProgress {
  /** Bytes read. */
  readonly done: number;
  /** Bytes per second. */
  readonly rate: number;
  readonly accesses?: number;
}

export interface ImportProgressProps {
  readonly name: string;
  /** What the program does whose accesses are imported; missing for a file. */
  readonly step?: ProgramStep;
  /** Size of the file in bytes. */
  readonly size?: number;
  /** The import ends after this many accesses. */
  readonly limit?: number;
  /** Whether only some of the file's accesses are imported; the limit counts imported accesses. */
  readonly hasSelection?: boolean;
  readonly progress?: ReadProgress;
  readonly onCancel: () => void;
}

export function ImportProgress(props: ImportProgressProps) {
  const { name, step, size = 0, limit, hasSelection, progress } = props;
  const { onCancel } = props;
  if (step)
    return <ProgramProgress name={name} step={step} onCancel={onCancel} />;
  const done = progress?.done ?? 0;
  const end = endOf(size, progress, limit);
  const first = `first ${counted(limit ?? 0, "access", "accesses")}`;
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
            : ` · ${counted(progress.accesses, "access", "accesses")} so far`}
        </p>
        {limit === undefined ? null : (
          <p className="t2 small">
            {end < size
              ? `The import ends after the ${first}${hasSelection ? " of your selection" : ""}; the rest of the ${fileSize(size)} is not read.`
              : `The import ends with the file, or after ${hasSelection ? `the ${first} of your selection` : `its ${first}`}.`}
          </p>
        )}
      </div>
      <button type="button" className="btn" onClick={onCancel}>
        Cancel
      </button>
    </section>
  );
}

/** Estimates the byte at which the import ends, from the accesses per byte so far. */
function endOf(
  size: number,
  progress: ReadProgress | undefined,
  limit: number | undefined,
): number {
  const { done = 0, accesses = 0 } = progress ?? {};
  if (limit === undefined || accesses === 0) return size;
  return Math.min(size, Math.max(done, (done * limit) / accesses));
}
