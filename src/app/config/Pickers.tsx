import { hasCores } from "../../model/config/cores";
import {
  hugePage,
  pagesChoice,
  pagesText,
} from "../../model/config/pagePolicies";
import {
  hasWalkCaches,
  missingWalkCaches,
} from "../../model/config/walkCaches";
import { tablesOf } from "../../model/words/words";
import { DEFAULT_CPU, modelOf } from "../../state/config/configurations";
import { isCustom, restorableCaches } from "../../state/selectors";
import { CoresPicker } from "../../views/config/CoresPicker";
import { CpuPicker } from "../../views/config/CpuPicker";
import { PagesPicker } from "../../views/config/PagesPicker";
import { MemoryPicker } from "../../views/config/MemoryPicker";
import { useActions, useApp } from "../context";
import type { EditorTab } from "./editorTab";

const NO_CACHES: readonly never[] = [];
const NO_SIZES: readonly string[] = [];

export interface PickersProps {
  readonly onEdit: (tab: EditorTab) => void;
  readonly onDialog: (dialog: "machines") => void;
  /** Called when a CPU is chosen. */
  readonly onCpu?: () => void;
  /** Short words, for a row with little space. */
  readonly brief?: boolean;
}

/** The pickers of the machine, its pages and its memory. */
export function Pickers(props: PickersProps) {
  const { onEdit, onDialog, onCpu, brief = false } = props;
  const cpus = useApp((state) => state.cpus);
  const configuration = useApp((state) => state.configuration);
  const trace = useApp((state) => state.trace);
  const custom = useApp(isCustom);
  const sizes = useApp((state) => state.machine?.page_sizes ?? NO_SIZES);
  const canRestore = useApp((state) => restorableCaches(state) !== undefined);
  const mine = useApp(({ machines }) => machines.list);
  const { chooseCpu, chooseMachine, choosePages, chooseSetup, setWalkCaches } =
    useActions();
  if (!configuration) return null;
  const { os, machine, cores = "one" } = configuration.setup;
  const model = modelOf({ cpus }, configuration.cpu);
  return (
    <>
      <CpuPicker
        cpus={cpus}
        value={configuration.cpu}
        standard={DEFAULT_CPU}
        name={machine.name}
        edited={custom}
        brief={brief}
        mine={mine}
        machine={machine}
        onMine={(id) => {
          onCpu?.();
          void chooseMachine(id);
        }}
        onMachines={() => onDialog("machines")}
        onChange={(id) => {
          onCpu?.();
          void chooseCpu(id);
        }}
        onEdit={() => onEdit("machine")}
      />
      <PagesPicker
        sizes={sizes}
        huge={hugePage(machine)}
        recorded={trace?.recorded}
        value={pagesChoice(os)}
        text={pagesText(os)}
        onChange={(pages) => void choosePages(pages)}
        onEdit={() => onEdit("mapping")}
      />
      {trace && hasCores(trace, cores) ? (
        <CoresPicker
          value={cores}
          threads={trace.threads}
          cpus={trace.cpus}
          onChange={(cores) => void chooseSetup({ cores })}
        />
      ) : null}
      <MemoryPicker
        brief={brief}
        os={os}
        tables={tablesOf(machine)}
        noNested={model?.no_nested}
        noWalkCaches={missingWalkCaches(machine, model)}
        memory={machine.memory}
        modelCaches={[...(model?.machine.memory.caches ?? NO_CACHES)]}
        levels={machine.paging ? null : (machine.levels ?? 4)}
        hostLevels={machine.virt?.levels ?? 4}
        sizes={sizes}
        walkCaches={{
          isOn: hasWalkCaches(machine),
          isFixed: !hasWalkCaches(machine) && !canRestore,
          onChange: (isOn) => void setWalkCaches(isOn),
        }}
        onOs={(os) => void chooseSetup({ os })}
        onMachine={(part) =>
          void chooseSetup({ machine: { ...machine, ...part } })
        }
        onHostLevels={(levels) =>
          void chooseSetup({
            machine: { ...machine, virt: { ...machine.virt, levels } },
          })
        }
        onEdit={() => onEdit("machine")}
      />
    </>
  );
}
