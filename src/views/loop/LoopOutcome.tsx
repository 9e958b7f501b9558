/** The result of a loop's last run. */
import type { ReactNode } from "react";
import { count, counted, fileSize } from "../../model/shared/format";
import type { LoopArray, LoopState } from "../../model/loop/loop";

export interface LoopOutcomeProps {
  readonly loop: LoopState;
  /** The link to the replay. */
  readonly replayAddress: string;
  /** Whether the open trace comes from this run. */
  readonly isOpen: boolean;
  /** Pictures of the run, if its trace is open. */
  readonly children: ReactNode;
}

export function LoopOutcome(props: LoopOutcomeProps) {
  const { loop, replayAddress, isOpen, children } = props;
  const { run } = loop;
  if (run?.status !== "done" || !isOpen)
    return (
      <div className="loop-empty">
        <p className="t2">
          {run?.status === "running"
            ? "Running …"
            : "Run the code: each load and store becomes an access of a trace, which is simulated at once. You can open it in the replay."}
        </p>
      </div>
    );
  const { accesses, milliseconds, arrays, log } = run.result;
  return (
    <>
      <div className="loop-outcome">
        <p>
          <b>{count(accesses)}</b> accesses to {counted(arrays.length, "array")}
          <span className="t2"> in {count(Math.ceil(milliseconds))} ms</span>
          {run.code === loop.code ? null : (
            <span className="t2"> · the code has changed since</span>
          )}
        </p>
        <span className="spacer" />
        <a className="btn" href={replayAddress}>
          Open in replay
        </a>
      </div>
      {arrays.length > 0 ? (
        <ul className="loop-arrays small t2">
          {arrays.map((array) => (
            <li key={array.start}>
              <b>{array.name}</b> {sizeOf(array)}
            </li>
          ))}
        </ul>
      ) : null}
      {log.length > 0 ? (
        <pre className="loop-log" aria-label="Output of the code">
          {log.join("\n")}
        </pre>
      ) : null}
      {children}
    </>
  );
}

function sizeOf({ length, size }: LoopArray): string {
  return `${count(length)} × ${size} B = ${fileSize(length * size)}`;
}
