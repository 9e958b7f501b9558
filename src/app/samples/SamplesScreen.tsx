/** The samples of the open recording; without one, what the screen is for. */
import { useEffect } from "react";
import { isCustom } from "../../state/selectors";
import { CpuPicker } from "../../views/config/CpuPicker";
import { NoSamples } from "../../views/samples/NoSamples";
import { SamplesView } from "../../views/samples/SamplesView";
import { useActions, useApp } from "../context";
import type { Dialog } from "../frame/useKeys";

export interface SamplesScreenProps {
  readonly onDialog: (dialog: Dialog) => void;
}

export function SamplesScreen({ onDialog }: SamplesScreenProps) {
  const trace = useApp((state) => state.trace);
  const survey = useApp((state) => state.survey);
  const choice = useApp((state) => state.surveyChoice);
  const machine = useApp((state) => state.configuration?.setup.machine);
  const { survey: count, ...actions } = useActions();
  useEffect(() => void count(), [count, trace, choice, machine]);
  if (!trace)
    // The link's trace is still loading.
    return <div className="samples-empty" />;
  if (trace.samples === undefined)
    return <NoSamples trace={trace.name} onImport={() => onDialog("import")} />;
  return (
    <SamplesView
      // Unfolded parts and choices belong to one recording.
      key={`${trace.name} ${trace.samples}`}
      trace={trace}
      survey={survey}
      choice={choice}
      picker={<MachinePicker />}
      onChoose={(next) => void actions.chooseSamples(next)}
      onCancel={actions.cancelSurvey}
      onAgain={() => void count()}
      onReplay={actions.replayAsConsecutive}
    />
  );
}

function MachinePicker() {
  const cpus = useApp((state) => state.cpus);
  const cpu = useApp((state) => state.configuration?.cpu);
  const edited = useApp(isCustom);
  const { chooseCpu } = useActions();
  if (cpu === undefined) return null;
  return (
    <CpuPicker
      cpus={cpus}
      value={cpu}
      edited={edited}
      onChange={(id) => void chooseCpu(id)}
    />
  );
}
