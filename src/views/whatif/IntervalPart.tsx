/** The interval of all cycles beside their point: a switch, the progress of its runs, and the intervals on one axis. */
import { pointIntervals } from "../../model/totals/uncertainty";
import type { UncertaintyReport } from "../../engine/generated/UncertaintyReport";
import { valueOf } from "../../model/whatif/questions";
import type { Asked } from "../../model/whatif/questions";
import { percent } from "../../model/shared/format";
import { ProgressBar } from "../shared/Progress";
import { RangeBar } from "../shared/RangeBar";
import "./interval.css";

/** A machine, and the state of its interval. */
export interface AskedInterval {
  /** `as configured`, `before`, or `after`. */
  readonly label: string;
  readonly asked: Asked<UncertaintyReport> | undefined;
}

export interface IntervalPartProps {
  readonly isOn: boolean;
  /** Whether the machine comes from a CPU model, whose numbers have marks. */
  readonly isModel: boolean;
  readonly intervals: readonly AskedInterval[];
  readonly onSwitch: (isOn: boolean) => void;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
}

const HELP =
  "Simulates other plausible values of the numbers that the CPU model assumes. Numbers that you changed are not varied. Both intervals vary the same numbers, so the change can be surer than they show.";

export function IntervalPart(props: IntervalPartProps) {
  const { isOn, isModel } = props;
  return (
    <div className="wi-interval small">
      <label title={HELP}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => props.onSwitch(target.checked)}
        />{" "}
        Interval of all cycles
      </label>
      {isOn ? (
        isModel ? (
          <Intervals {...props} />
        ) : (
          <p className="t2">
            No number of this machine is marked as assumed. Choose a CPU at the
            top to see an interval.
          </p>
        )
      ) : null}
    </div>
  );
}

function Intervals({ intervals, onCancel, onAgain }: IntervalPartProps) {
  const done = intervals.flatMap(({ label, asked }) => {
    const report = valueOf(asked);
    return report ? [[label, report] as const] : [];
  });
  const failed = intervals.flatMap(({ asked }) =>
    asked?.status === "failed" ? [asked.why] : [],
  );
  const isCancelled = intervals.some(
    ({ asked }) => asked?.status === "cancelled",
  );
  const running = intervals.filter(
    ({ asked }) => asked === undefined || asked.status === "running",
  );
  return (
    <>
      {pointIntervals(done).map((each) => (
        <div key={each.label} className="wi-interval-row">
          <p className="wi-interval-head">
            <span className="t2">{each.label}</span>
            <b className="num">{each.range}</b>
            <span className="num">{each.change}</span>
          </p>
          <RangeBar extent={each.extent} own={each.own} />
          {each.driver === undefined ? null : (
            <p className="t2 wi-interval-driver">{each.driver}</p>
          )}
        </div>
      ))}
      {failed.length > 0 ? (
        <p role="alert" className="wi-problem">
          {failed[0]}
        </p>
      ) : isCancelled ? (
        <p>
          Cancelled.{" "}
          <button type="button" className="btn quiet" onClick={onAgain}>
            Simulate it
          </button>
        </p>
      ) : running.length > 0 ? (
        <Running
          done={running.reduce(
            (sum, { asked }) =>
              sum + (asked?.status === "running" ? asked.done : 0),
            0,
          )}
          total={running.length}
          onCancel={onCancel}
        />
      ) : null}
    </>
  );
}

interface RunningProps {
  readonly done: number;
  readonly total: number;
  readonly onCancel: () => void;
}

function Running({ done, total, onCancel }: RunningProps) {
  const what = "Simulating other values of assumed numbers";
  return (
    <div className="wi-interval-running">
      <ProgressBar label={what} done={done} total={total} />
      <p className="t2">
        {what} … <span className="num">{percent(done / total)}</span>{" "}
        <button type="button" className="btn quiet" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </div>
  );
}
