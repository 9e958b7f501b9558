import { percentOf } from "../../model/shared/format";
import "./controls.css";

export interface ProgressProps {
  /** The work in progress: "Reading ls.xz". */
  readonly label: string;
  readonly done: number;
  /** Missing if the total is unknown: the bar then only moves. */
  readonly total?: number | undefined;
}

/** A 2 px bar at the top of a panel; the previous picture below it stays. */
export function ProgressBar({ label, done, total }: ProgressProps) {
  const known = total !== undefined && total > 0;
  const share = known ? Math.min(1, done / total) : 0;
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      {...(known
        ? {
            "aria-valuemin": 0,
            "aria-valuemax": 100,
            "aria-valuenow": Math.floor(share * 100),
            "aria-valuetext": percentOf(done, total),
          }
        : {})}
    >
      <div
        className={known ? "progress-bar" : "progress-bar progress-bar-unknown"}
        style={known ? { transform: `scaleX(${share})` } : undefined}
      />
    </div>
  );
}
