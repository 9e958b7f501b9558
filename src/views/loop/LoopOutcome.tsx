/** What the last run of a loop came to. */
import { count, counted, fileSize } from "../../model/shared/format";
import type { LoopArray } from "../../model/loop/loop";
import type { LoopPageProps } from "./LoopPage";

export function LoopOutcome(props: LoopPageProps) {
  const { loop, replayAddress, isOpen, children } = props;
  const { run } = loop;
  if (run?.status !== "done" || !isOpen)
    return (
      <div className="loop-empty">
        <p className="t2">
          {run?.status === "running"
            ? "It runs."
            : "Run the code: each load and store becomes an access of a trace, which is simulated at once and opens in the replay as any other."}
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
        <pre className="loop-log" aria-label="What the code wrote">
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
