/** A sweep over fields of the machine: run here on all processors, or saved for the command line. */
import { useMemo, useState } from "react";
import { count, counted } from "../model/format";
import { COUNTERS, rowOf, specOf } from "../model/sweep";
import type { Counter, SweepAxis } from "../model/sweep";
import { sweepFields } from "../model/sweepFields";
import { sweepLines } from "../state/sweepActions";
import type { SweepState } from "../state/sweepActions";
import { Panel } from "../views/whatif/Panel";
import { SweepForm } from "../views/whatif/SweepForm";
import { SweepResults } from "../views/whatif/SweepResults";
import { saveFile } from "../views/shared/picture/saveFile";
import { ProgressBar } from "../views/shared/Progress";
import { Segmented } from "../views/shared/Segmented";
import { useActions, useApp } from "./context";
import type { WhatIf } from "./useWhatIf";

const NO_SIZES: readonly string[] = [];
const COUNTER_CHOICES = (Object.keys(COUNTERS) as Counter[]).map((value) => ({
  value,
  label: value,
}));

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
  const axes = typed ?? fields.slice(0, 1).map(plain);
  const made = written(axes);
  function written(axes: readonly SweepAxis[]) {
    try {
      const base = { cpu, setup: own, cpus, trace, workload };
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
      note="every combination of the values, each run on the whole trace"
    >
      <SweepForm
        axes={axes}
        fields={fields}
        spec={made.spec}
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
  readonly names: readonly string[];
}

function Results({ sweep, isOther, names }: ResultsProps) {
  const actions = useActions();
  const [counter, setCounter] = useState<Counter>("walks");
  const rows = useMemo(
    () =>
      [...sweep.lines].sort(([a], [b]) => a - b).map(([, line]) => rowOf(line)),
    [sweep.lines],
  );
  const save = (text: string, ending: string) =>
    saveFile(new Blob([text], { type: "text/plain" }), `sweep.${ending}`);
  const isRunning = sweep.status === "running";
  return (
    <div className="wi-sweep-progress">
      {isRunning ? (
        <ProgressBar label="Sweep" done={sweep.done} total={sweep.total} />
      ) : null}
      <p className="t2 small" role="status">
        {count(rows.length)} of {counted(sweep.total, "row")}
        {isRunning ? " …" : sweep.status === "cancelled" ? ", cancelled" : ""}
        {isOther ? ": of the sweep that was run before" : ""}
      </p>
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
          <SweepResults
            names={isOther ? Object.keys(axesOf(sweep)) : names}
            rows={rows}
            counter={counter}
            onOpen={({ setup }) => void actions.openWhatIf(setup)}
          />
        </>
      ) : null}
    </div>
  );
}

/** The fields of a sweep by their names in the file. */
function axesOf({ lines }: SweepState): Readonly<Record<string, unknown>> {
  const [line] = lines.values();
  if (line === undefined) return {};
  return (JSON.parse(line) as { axes: Record<string, unknown> }).axes;
}
