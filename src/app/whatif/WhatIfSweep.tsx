/** A sweep over fields of the machine: run here on all processors, or saved for the command line. */
import { useMemo } from "react";
import { traceFile } from "../../model/import/exportText";
import { count, counted } from "../../model/shared/format";
import { COUNTERS, replayOf, specOf } from "../../model/whatif/sweep";
import type { Counter, SweepAxis, SweepSetup } from "../../model/whatif/sweep";
import { sweepChart } from "../../model/whatif/sweepChart";
import { sweepFields } from "../../model/whatif/sweepFields";
import { endedRows, sweepLines } from "../../state/whatif/sweep";
import { Panel } from "../../views/whatif/Panel";
import { SweepForm } from "../../views/whatif/SweepForm";
import { SweepResults } from "../../views/whatif/SweepResults";
import { ChartFigure } from "../../views/shared/chart/ChartFigure";
import { saveFile } from "../../views/shared/picture/saveFile";
import { ProgressBar } from "../../views/shared/Progress";
import { Segmented } from "../../views/shared/Segmented";
import { useChoice } from "../../views/shared/choices";
import { useActions, useApp } from "../context";
import { countedPart } from "./useWhatIf";
import type { WhatIf } from "./useWhatIf";
import type { SweepState } from "../../state/whatif/sweepState";

const NO_SIZES: readonly string[] = [];
// The keys are those of the table.
const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];
const COUNTER_CHOICES = COUNTER_NAMES.map((value) => ({ value, label: value }));

export function WhatIfSweep({ whatIf }: { readonly whatIf: WhatIf }) {
  const { own, cpu, trace, place } = whatIf;
  const actions = useActions();
  const sizes = useApp((state) => state.machine?.page_sizes ?? NO_SIZES);
  const cpus = useApp((state) => state.cpus);
  const workload = useApp((state) => state.workload);
  // What is typed is shown at once, whenever the panels are drawn.
  const typed = useApp((state) => state.whatIf.view.sweep);
  const sweep = useApp((state) =>
    state.sweep?.trace === state.trace ? state.sweep : undefined,
  );
  const fields = useMemo(
    () => sweepFields(own.machine, sizes, place?.id),
    [own.machine, sizes, place?.id],
  );
  const file = traceFile(trace.name);
  const axes = typed ?? fields.slice(0, 1).map(plain);
  const made = written(axes);
  function written(axes: readonly SweepAxis[]) {
    try {
      const base = { cpu, setup: own, cpus, file, workload };
      return { spec: specOf(axes, base), problem: undefined };
    } catch (thrown) {
      const problem = thrown instanceof Error ? thrown.message : "";
      return { spec: undefined, problem };
    }
  }
  const isShown = sweep?.spec === made.spec;
  return (
    <Panel
      title="Sweep"
      className="wi-panel-wide"
      note={`every combination of the values in the replay's machine, each run of ${countedPart(own)}`}
    >
      <SweepForm
        axes={axes}
        fields={fields}
        spec={made.spec}
        traceFile={workload ? undefined : file}
        problem={made.problem ?? (isShown ? sweep?.problem : undefined)}
        isRunning={sweep?.status === "running"}
        onChange={(next) => actions.chooseWhatIf({ sweep: next.map(plain) })}
        onRun={() => {
          if (made.spec !== undefined) void actions.runSweep(made.spec);
        }}
        onCancel={actions.cancelSweep}
        onSave={() => {
          if (made.spec !== undefined)
            saveFile(
              new Blob([made.spec], { type: "application/json" }),
              "sweep.json",
            );
        }}
      />
      {sweep ? (
        <Results
          sweep={sweep}
          isOther={!isShown}
          own={own}
          names={axes.map(
            ({ field }) =>
              fields.find((each) => each.field === field)?.label ?? field,
          )}
        />
      ) : null}
    </Panel>
  );
}

const plain = ({ field, values }: SweepAxis): SweepAxis => ({ field, values });

interface ResultsProps {
  readonly sweep: SweepState;
  /** Of another sweep than the one in the form. */
  readonly isOther: boolean;
  /** The replay's, which may be one of the rows. */
  readonly own: SweepSetup;
  readonly names: readonly string[];
}

function Results(props: ResultsProps) {
  const { sweep, isOther, own } = props;
  const names = isOther ? Object.keys(axesOf(sweep)) : props.names;
  const actions = useActions();
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
          {isOther ? ": of the sweep that was run before" : ""}
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
                void actions.sweepTable().then((text) => save(text, "csv"))
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
            onOpen={({ setup, cpu }) =>
              void actions.openSetup(replayOf(setup), cpu)
            }
          />
          <p className="t3 small">
            Rows are kept until the page is closed or another trace is swept:
            save those that are wanted later.
          </p>
        </>
      ) : null}
    </div>
  );
}

/** The fields of a sweep by their names in the file. */
function axesOf({ rows }: SweepState): Readonly<Record<string, unknown>> {
  const [ended] = rows.values();
  if (ended === undefined) return {};
  // The core has written it.
  return (JSON.parse(ended.line) as { axes: Record<string, unknown> }).axes;
}
