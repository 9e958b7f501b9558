import { useEffect, useState } from "react";
import type { WorkloadCheck } from "../../engine/generated/WorkloadCheck";
import type { WorkloadInfo } from "../../engine/generated/WorkloadInfo";
import { placed } from "../../model/shared/place";
import {
  chosen,
  fittingValues,
  genCommand,
} from "../../model/generate/workload";
import type { WorkloadChoice } from "../../model/generate/workload";
import { GenerateForm } from "../../views/generate/GenerateForm";
import { GenerateProgress } from "../../views/generate/GenerateProgress";
import { Sentence } from "../../views/import/Sentence";
import { useActions, useApp } from "../context";
import { Modal } from "../shared/Modal";
import { useIsOpen } from "../shared/useIsOpen";

/** The delay after typing before the values are checked, in milliseconds. */
const CHECK_MS = 120;

type Values = Readonly<Record<string, string>>;

const NOTHING: Values = {};

/** Stays open until the trace is generated. */
export function GenerateDialog({ onClose }: { readonly onClose: () => void }) {
  const { loadWorkloads, generateTrace, cancelGenerate } = useActions();
  const workloads = useApp((state) => state.workloads);
  const current = useApp((state) => state.workload);
  const machine = useApp((state) => state.machine);
  const generating = useApp((state) => state.generating);
  const [id, setId] = useState(current?.id ?? "uniform");
  const [typed, setTyped] = useState<Readonly<Record<string, Values>>>(
    current ? { [current.id]: current.params } : {},
  );
  const isOpen = useIsOpen();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => void loadWorkloads(), [loadWorkloads]);

  const info = workloads.find((workload) => workload.id === id) ?? workloads[0];
  const fitting = info && machine ? fittingValues(info, machine) : NOTHING;
  const values = (info && typed[info.id]) ?? fitting;
  const workload = info && chosen(info, values);
  const check = useCheck(workload);
  const generate = (workload: WorkloadChoice) => {
    setProblem(null);
    void generateTrace({
      workload,
      onDone: () => {
        if (isOpen()) onClose();
      },
      onRejected: ({ message, at }) => {
        if (!isOpen()) return false;
        setProblem(placed(message, at));
        return true;
      },
    });
  };
  return (
    <Modal title="Generate a trace" wide onClose={onClose}>
      <div className="import-dialog-state" aria-live="polite">
        {generating ? (
          <GenerateProgress {...generating} onCancel={cancelGenerate} />
        ) : null}
        {problem === null ? null : (
          <p className="problem" role="alert">
            <Sentence text={problem} />
          </p>
        )}
      </div>
      {info && workload ? (
        <GenerateForm
          workloads={workloads}
          workload={info}
          values={values}
          check={check}
          machine={machine}
          command={genCommand(workload, needsCsv(info, values))}
          busy={generating !== undefined}
          onWorkload={setId}
          onValue={(name, value) =>
            setTyped({ ...typed, [info.id]: { ...values, [name]: value } })
          }
          onReset={() => setTyped({ ...typed, [info.id]: fitting })}
          onGenerate={() => generate(workload)}
        />
      ) : null}
    </Modal>
  );
}

/** Lackey's format can hold neither prefetches nor threads. */
function needsCsv({ params }: WorkloadInfo, values: Values): boolean {
  return params.some(({ name, default: usual }) => {
    const value = (values[name] ?? usual).trim() || usual;
    if (name === "threads") return value !== "1";
    return name === "prefetch" && !/^0[KMGT]?$/i.test(value);
  });
}

/** The errors of the parameters, shortly after typing. */
function useCheck(
  workload: WorkloadChoice | undefined,
): WorkloadCheck | undefined {
  const { checkWorkload } = useActions();
  const [check, setCheck] = useState<{ key: string; value: WorkloadCheck }>();
  const key = workload && JSON.stringify(workload);
  useEffect(() => {
    if (key === undefined) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      // The key is the workload as JSON.
      void checkWorkload(JSON.parse(key) as WorkloadChoice).then((value) => {
        if (isCurrent) setCheck({ key, value });
      });
    }, CHECK_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, checkWorkload]);
  return check?.key === key ? check?.value : undefined;
}
