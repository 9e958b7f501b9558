/** The samples of the open recording; without one, those of an example. */
import { useEffect } from "react";
import { SAMPLES_EXAMPLE } from "../../state/import/traces";
import { TRACES_ABOUT } from "../../state/import/tracesAbout";
import { isCustom, sampledTrace } from "../../state/selectors";
import { CpuPicker } from "../../views/config/CpuPicker";
import { ExampleNote } from "../../views/samples/ExampleNote";
import { NoSamples } from "../../views/samples/NoSamples";
import { SamplesView } from "../../views/samples/SamplesView";
import { useActions, useApp } from "../context";
import type { Dialog } from "../frame/useKeys";

export interface SamplesScreenProps {
  readonly onDialog: (dialog: Dialog) => void;
}

export function SamplesScreen({ onDialog }: SamplesScreenProps) {
  const open = useApp((state) => state.trace);
  const trace = useApp(sampledTrace);
  const failed = useApp((state) => state.samplesExample === "failed");
  const isExample = useApp(
    (state) => trace !== state.trace || state.builtIn === SAMPLES_EXAMPLE.id,
  );
  const survey = useApp((state) => state.survey);
  const choice = useApp((state) => state.surveyChoice);
  const machine = useApp((state) => state.configuration?.setup.machine);
  const { survey: count, openSamplesExample, ...actions } = useActions();
  const { closeSamplesExample } = actions;
  const isNeeded = open && open.samples === undefined;
  useEffect(() => {
    void (isNeeded ? openSamplesExample() : closeSamplesExample());
  }, [isNeeded, openSamplesExample, closeSamplesExample]);
  useEffect(() => void count(), [count, trace, choice, machine]);
  const ask = () => onDialog("import");
  if (failed && open) return <NoSamples trace={open.name} onImport={ask} />;
  if (!trace)
    // The link's trace or the example is still loading.
    return (
      <div className="samples-empty">
        <p className="t2" role="status">
          Opening the samples…
        </p>
      </div>
    );
  return (
    <>
      {isExample ? (
        <ExampleNote about={TRACES_ABOUT[SAMPLES_EXAMPLE.id]} onImport={ask} />
      ) : null}
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
    </>
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
