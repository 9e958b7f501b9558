/** Chooses a workload and its parameters, and shows what they would generate. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { WorkloadCheck } from "../../engine/generated/WorkloadCheck";
import type { WorkloadInfo } from "../../engine/generated/WorkloadInfo";
import { counted, memorySize } from "../../model/shared/format";
import { problemAt } from "../../model/generate/workload";
import { CommandLine } from "../shared/CommandLine";
import { ParamField } from "./ParamField";
import "./generate.css";

export interface GenerateFormProps {
  readonly workloads: readonly WorkloadInfo[];
  readonly workload: WorkloadInfo;
  /** Texts of the fields by parameter. */
  readonly values: Readonly<Record<string, string>>;
  /** The check of these values; `undefined` while it runs. */
  readonly check: WorkloadCheck | undefined;
  /** The machine that replays the trace. */
  readonly machine: Pick<MachineView, "name" | "va_bits"> | undefined;
  /** The shell command that generates the same file. */
  readonly command: string;
  readonly busy: boolean;
  readonly onWorkload: (id: string) => void;
  readonly onValue: (name: string, value: string) => void;
  readonly onReset: () => void;
  readonly onGenerate: () => void;
}

export function GenerateForm(props: GenerateFormProps) {
  const { workloads, workload, values, check, machine, command, busy } = props;
  const errors = check?.errors ?? [];
  const isWrong = errors.length > 0;
  return (
    <form
      className="generate"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong && !busy) props.onGenerate();
      }}
    >
      <WorkloadList
        workloads={workloads}
        selected={workload.id}
        onSelect={props.onWorkload}
      />
      <div className="generate-form">
        <p className="generate-about">{workload.about}</p>
        <div className="generate-params">
          {workload.params.map((param) => (
            <ParamField
              key={`${workload.id} ${param.name}`}
              param={param}
              value={values[param.name] ?? param.default}
              problem={problemAt(errors, param.name)}
              onChange={(value) => props.onValue(param.name, value)}
            />
          ))}
        </div>
      </div>
      <div className="generate-foot">
        <CommandLine text={command} what={workload.name} />
        <div className="generate-actions">
          <output className="t2" data-testid="generate-summary">
            {summary(check, machine)}
          </output>
          <button type="button" className="btn" onClick={props.onReset}>
            Defaults
          </button>
          <button
            type="submit"
            className="btn primary"
            disabled={isWrong || busy}
          >
            Generate
          </button>
        </div>
      </div>
    </form>
  );
}

function summary(
  check: WorkloadCheck | undefined,
  machine: GenerateFormProps["machine"],
): string {
  if (!check) return "";
  if (check.errors.length > 0)
    return `Fix ${counted(check.errors.length, "field", "fields")} first.`;
  const text = `${counted(check.accesses, "access", "accesses")} within ${memorySize(check.bytes)}`;
  if (!machine) return text;
  const space = 2 ** machine.va_bits;
  return check.bytes > space
    ? `${text}: more than the address space of ${machine.name}, ${memorySize(space)}`
    : text;
}

interface WorkloadListProps {
  readonly workloads: readonly WorkloadInfo[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Radio buttons as a list. On a phone they stand in lines, so that no name is cut. */
function WorkloadList({ workloads, selected, onSelect }: WorkloadListProps) {
  return (
    <div className="generate-list" role="radiogroup" aria-label="Workload">
      {workloads.map(({ id, name }) => (
        <label key={id} className="generate-item">
          <input
            type="radio"
            name="workload"
            value={id}
            checked={id === selected}
            onChange={() => onSelect(id)}
          />
          <span>{name}</span>
        </label>
      ))}
    </div>
  );
}
