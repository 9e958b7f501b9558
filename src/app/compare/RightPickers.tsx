/** The right side: any model, pages and memory. */
import {
  hugePage,
  pagesChoice,
  pagesText,
  withPages,
} from "../../model/config/pagePolicies";
import { sideOf } from "../../model/compare/sides";
import { cpuOf } from "../../model/config/cpus";
import type { SavedMachine } from "../../model/config/savedMachine";
import { missingWalkCaches } from "../../model/config/walkCaches";
import { same } from "../../model/shared/mergePatch";
import { tablesOf } from "../../model/words/words";
import { CpuPicker } from "../../views/config/CpuPicker";
import { MemoryPicker } from "../../views/config/MemoryPicker";
import { PagesPicker } from "../../views/config/PagesPicker";
import { useActions, useApp } from "../context";
import type { EditorTab } from "../config/editorTab";
import type { Configuration } from "../../state/config/configurations";

export interface RightPickersProps {
  readonly right: Configuration;
  /** The page sizes of its machine. */
  readonly sizes: readonly string[];
  readonly onEdit: (tab: EditorTab) => void;
}

export function RightPickers({ right, sizes, onEdit }: RightPickersProps) {
  const cpus = useApp((state) => state.cpus);
  const mine = useApp((state) => state.machines.list);
  const recorded = useApp((state) => state.trace?.recorded);
  const { chooseRight } = useActions();
  const { machine, os } = right.setup;
  const model = cpuOf(cpus, right.cpu);
  const choose = (part: Partial<Configuration["setup"]>) => {
    const setup = { ...right.setup, ...part };
    void chooseRight(sideOf(cpus, { cpu: right.cpu, setup }));
  };
  const chooseSaved = ({ cpu, machine, os }: SavedMachine) => {
    const setup = { ...right.setup, machine, os };
    void chooseRight(sideOf(cpus, { cpu, setup }));
  };
  return (
    <>
      <CpuPicker
        cpus={cpus}
        value={right.cpu}
        name={machine.name}
        edited={!same(model?.machine, machine)}
        mine={mine}
        machine={machine}
        onMine={(id) => {
          const saved = mine?.find((each) => each.id === id);
          if (saved) chooseSaved(saved);
        }}
        onChange={(cpu) => void chooseRight({ cpu, os })}
        onEdit={() => onEdit("machine")}
      />
      <PagesPicker
        sizes={sizes}
        huge={hugePage(machine)}
        recorded={recorded}
        value={pagesChoice(os)}
        text={pagesText(os)}
        onChange={(pages) => choose({ os: withPages(os, machine, pages) })}
        onEdit={() => onEdit("mapping")}
      />
      <MemoryPicker
        os={os}
        tables={tablesOf(machine)}
        noNested={model?.no_nested}
        noWalkCaches={missingWalkCaches(machine, model)}
        memory={machine.memory}
        modelCaches={[...(model?.machine.memory.caches ?? [])]}
        levels={machine.paging ? null : (machine.levels ?? 4)}
        hostLevels={machine.virt?.levels ?? 4}
        sizes={sizes}
        onOs={(os) => choose({ os })}
        onMachine={(part) => choose({ machine: { ...machine, ...part } })}
        onHostLevels={(levels) =>
          choose({
            machine: { ...machine, virt: { ...machine.virt, levels } },
          })
        }
        onEdit={() => onEdit("machine")}
      />
    </>
  );
}
