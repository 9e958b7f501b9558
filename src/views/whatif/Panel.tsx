/** A part of the screen: title, controls, and a placeholder until the result is known. */
import type { ReactNode } from "react";
import type { Asked } from "../../model/whatif/questions";
import { ProgressBar } from "../shared/Progress";
import { TraceTag } from "../shared/TraceTag";

export interface PanelProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly controls?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Set if the run counts a part of the trace: whether this result is of that part or of the whole trace. */
  readonly of?: "part" | "whole" | undefined;
}

const OF = {
  part: "Of the counted accesses; the warm-up before them fills the structures.",
  whole: "Of the whole trace, although the run counts only a part of it.",
} as const;

export function Panel(props: PanelProps) {
  const { title, note, controls, children, className = "", of } = props;
  return (
    <section
      className={`wi-panel ${className}`}
      aria-label={title}
      data-picture=""
    >
      <header className="wi-panel-head">
        <h3>{title}</h3>
        <TraceTag />
        {note ? <span className="t2 small">{note}</span> : null}
        <span className="spacer" />
        {controls}
      </header>
      <div className="wi-panel-body">
        {of ? <p className="small wi-whole">{OF[of]}</p> : null}
        {children}
      </div>
    </section>
  );
}

export interface PendingProps {
  /** The computation in words: `Misses of every size`. */
  readonly what: string;
  readonly asked: Asked<unknown> | undefined;
  /** The height to keep, so that nothing jumps. */
  readonly height?: number;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
}

/** The placeholder of a missing result. */
export function Pending(props: PendingProps) {
  const { what, asked, height = 120, onCancel, onAgain } = props;
  if (asked?.status === "done")
    return (
      <p className="t2 wi-pending" style={{ minHeight: height }}>
        The trace has no such accesses.
      </p>
    );
  return (
    <div className="wi-pending" style={{ minHeight: height }}>
      {asked?.status === "failed" || asked?.status === "cancelled" ? (
        <p role="alert">
          {asked.status === "failed" ? asked.why : `${what}: cancelled.`}{" "}
          <button type="button" className="btn" onClick={onAgain}>
            Compute it
          </button>
        </p>
      ) : (
        <>
          <ProgressBar
            label={what}
            done={asked?.status === "running" ? asked.done : 0}
            total={1}
          />
          <p className="t2 small">
            {what} …{" "}
            <button type="button" className="btn quiet" onClick={onCancel}>
              Cancel
            </button>
          </p>
        </>
      )}
    </div>
  );
}
