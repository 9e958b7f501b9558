/** A sweep over fields of the machine: run here on all processors, or saved for the command line. */
import { useMemo } from "react";
import { traceFile } from "../../model/import/exportText";
import { recordedNote } from "../../model/whatif/recorded";
import { specOf } from "../../model/whatif/sweep";
import type { SweepAxis } from "../../model/whatif/sweep";
import { sweepFields } from "../../model/whatif/sweepFields";
import { countedPart } from "../../model/whatif/whatIf";
import type { WhatIf } from "../../model/whatif/whatIf";
import { Panel } from "../../views/whatif/Panel";
import { SweepForm } from "../../views/whatif/SweepForm";
import { SweepProgress } from "../../views/whatif/SweepProgress";
import { saveFile } from "../../views/shared/picture/saveFile";
import { useActions, useApp } from "../context";
import { usePageSizes } from "./useWhatIf";

export function WhatIfSweep({ whatIf }: { readonly whatIf: WhatIf }) {
  const { own, cpu, trace, place } = whatIf;
  const actions = useActions();
  const sizes = usePageSizes();
  const cpus = useApp((state) => state.cpus);
  const workload = useApp((state) => state.workload);
  // The typed text is shown immediately, before the panels redraw.
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
  const warning = recordedNote(whatIf);
  const isShown = sweep?.spec === made.spec;
  return (
    <Panel
      title="Sweep"
      className="wi-panel-wide"
      note={`every combination of the values in the replay’s machine, each a run of ${countedPart(own)}`}
    >
      {warning === undefined ? null : <p className="t2 small">{warning}</p>}
      <SweepForm
        axes={axes}
        fields={fields}
        spec={made.spec}
        traceFile={workload ? undefined : file}
        problem={made.problem ?? (isShown ? sweep?.problem : undefined)}
        isRunning={sweep?.status === "running"}
        onChange={(next) =>
          void actions.chooseWhatIf({ sweep: next.map(plain) })
        }
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
        <SweepProgress
          sweep={sweep}
          isOther={!isShown}
          own={own}
          onTable={actions.sweepCsv}
          onOpen={(setup, cpu) => void actions.openSetup(setup, cpu)}
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
