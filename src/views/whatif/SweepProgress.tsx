/** How far a sweep is, and its rows as a chart, a table and files. */
import { useMemo } from "react";
import { count, counted } from "../../model/shared/format";
import { COUNTERS, replayOf } from "../../model/whatif/sweep";
import type { Counter, SweepSetup } from "../../model/whatif/sweep";
import { sweepChart } from "../../model/whatif/sweepChart";
import { axesOf, endedRows, sweepLines } from "../../model/whatif/sweepState";
import type { SweepState } from "../../model/whatif/sweepState";
import { ChartFigure } from "../shared/chart/ChartFigure";
import { useChoice } from "../shared/choices";
import { saveFile } from "../shared/picture/saveFile";
import { ProgressBar } from "../shared/Progress";
import { Segmented } from "../shared/Segmented";
import { SweepResults } from "./SweepResults";

// The keys are those of the table, so the cast is safe.
const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];
const COUNTER_CHOICES = COUNTER_NAMES.map((value) => ({ value, label: value }));

export interface SweepProgressProps {
  readonly sweep: SweepState;
  /** Whether the rows belong to another sweep than the form's. */
  readonly isOther: boolean;
  /** The replay's setup, which may be one of the rows. */
  readonly own: SweepSetup;
  readonly names: readonly string[];
  /** The rows as CSV. */
  readonly onTable: () => Promise<string>;
  /** Opens a row as a replay. */
  readonly onOpen: (setup: SweepSetup, cpu: string | undefined) => void;
}

export function SweepProgress(props: SweepProgressProps) {
  const { sweep, isOther, own } = props;
  const names = isOther ? Object.keys(axesOf(sweep)) : props.names;
  const [counter = "walks", setCounter] = useChoice(
    "sweep.counter",
    COUNTER_NAMES,
  );
  const rows = useMemo(
    () => endedRows(sweep.rows).map(({ row }) => row),
    [sweep.rows],
  );
  const chart = sweepChart(names, rows, counter, own);
  const save = (text: string, ending: string) =>
    saveFile(new Blob([text], { type: "text/plain" }), `sweep.${ending}`);
  const isRunning = sweep.status === "running";
  return (
    <div className="wi-sweep-progress">
      {isRunning ? (
        <ProgressBar label="Sweep" done={sweep.done} total={sweep.total} />
      ) : null}
      {sweep.total > 0 ? (
        <p className="t2 small" role="status">
          {count(rows.length)} of {counted(sweep.total, "row")}
          {isRunning ? " …" : sweep.status === "cancelled" ? ", cancelled" : ""}
          {isOther ? ": of the previous sweep" : ""}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <>
          <div className="wi-sweep-buttons">
            <Segmented<Counter>
              label="Counter"
              value={counter}
              choices={COUNTER_CHOICES}
              onChange={setCounter}
            />
            <button
              type="button"
              className="btn"
              onClick={() => save(sweepLines(sweep), "jsonl")}
            >
              Save JSON lines
            </button>
            <button
              type="button"
              className="btn"
              onClick={() =>
                void props.onTable().then((text) => save(text, "csv"))
              }
            >
              Save CSV
            </button>
          </div>
          {chart ? <ChartFigure id="sweep" chart={chart} /> : null}
          <SweepResults
            names={names}
            rows={rows}
            counter={counter}
            onOpen={({ setup, cpu }) => props.onOpen(replayOf(setup), cpu)}
          />
          <p className="t3 small">
            Rows are kept until you close the page or sweep another trace: save
            those that you need later.
          </p>
        </>
      ) : null}
    </div>
  );
}
