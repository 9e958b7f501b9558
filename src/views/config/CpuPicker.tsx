/** Chooses the simulated CPU model; the last item opens the editor. */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import { findSaved } from "../../model/config/savedMachine";
import type { SavedMachine } from "../../model/config/savedMachine";
import { baseId, cpuOf, headingOf, variantId } from "../../model/config/cpus";
import { counted } from "../../model/shared/format";
import type { ListSection } from "../shared/opener/FloatingList";
import { Picker } from "./Picker";

export interface CpuPickerProps {
  readonly cpus: readonly CpuModel[];
  /** The id of the CPU model that the machine started from. */
  readonly value: string;
  /** The id of the model that a new session has. */
  readonly standard?: string;
  /** The name of an edited machine. */
  readonly name?: string;
  /** Whether the user has changed the machine. */
  readonly edited: boolean;
  /** Marks an edited machine with a star. */
  readonly brief?: boolean;
  readonly onChange: (id: string) => void;
  /** The machines that the user keeps, and the one that is shown. */
  readonly mine?: readonly SavedMachine[] | undefined;
  readonly machine?: MachineConfig;
  readonly onMine?: (id: string) => void;
  /** Opens the list of saved machines; missing = they are not offered here. */
  readonly onMachines?: () => void;
  /** Opens the editor; missing = the machine cannot be edited here. */
  readonly onEdit?: () => void;
}

const EDIT = "edit…";
const MACHINES = "machines…";
/** Before the id of a saved machine. */
const MINE = "mine…";
const NONE: readonly never[] = [];

export function CpuPicker(props: CpuPickerProps) {
  const { cpus, value, standard, edited, brief = false } = props;
  const { onChange, onEdit } = props;
  const { mine = NONE, machine, onMine, onMachines } = props;
  const model = cpuOf(cpus, value)?.name ?? value;
  const saved = edited && machine ? findSaved(mine, machine) : undefined;
  const name = edited ? (saved?.name ?? props.name ?? model) : model;
  const text = edited ? "Continue editing…" : "Edit this machine…";
  const edit = { key: EDIT, text, full: "Edit" };
  const machines = {
    key: MACHINES,
    text: "Save this machine, my machines…",
    full: "Save this machine",
  };
  const more = [...(onEdit ? [edit] : []), ...(onMachines ? [machines] : [])];
  const own = mine.map(({ id, name }) => ({ key: `${MINE}${id}`, text: name }));
  const select = (key: string) => {
    if (key === EDIT) onEdit?.();
    else if (key === MACHINES) onMachines?.();
    else if (key.startsWith(MINE)) onMine?.(key.slice(MINE.length));
    else onChange(key);
  };
  return (
    <Picker
      label="CPU"
      text={edited && !saved ? `${name}, edited` : name}
      short={brief && edited && !saved ? `${name}*` : undefined}
      sections={[
        ...(own.length > 0 ? [{ title: "Mine", choices: own }] : []),
        ...modelSections(cpus, value, standard),
        ...(more.length > 0 ? [{ choices: more }] : []),
      ]}
      // An edited machine is not in the list, so the user can choose its model again.
      selected={saved ? `${MINE}${saved.id}` : edited ? null : value}
      onSelect={select}
    />
  );
}

/** The models by group or vendor; only the chosen model shows its variants, which keeps the list short. */
function modelSections(
  cpus: readonly CpuModel[],
  chosen: string,
  standard: string | undefined,
): ListSection[] {
  const base = baseId(chosen);
  return headings(cpus).map((heading) => ({
    title: heading,
    choices: cpus
      .filter((cpu) => headingOf(cpu) === heading)
      .flatMap((cpu) => [
        {
          key: cpu.id,
          text: cpu.name,
          ...noteOf(cpu, base, standard),
        },
        ...(cpu.id === base ? cpu.variants : []).map((variant) => ({
          key: variantId(cpu, variant),
          text: variant.name,
          full: `${cpu.name}, ${variant.name}`,
          title: variant.note,
          isVariant: true,
        })),
      ]),
  }));
}

function noteOf(
  { id, variants }: CpuModel,
  base: string,
  standard: string | undefined,
): { readonly note?: string } {
  const notes = [
    ...(id === standard ? ["default"] : []),
    ...(variants.length > 0 && id !== base
      ? [counted(variants.length, "variant")]
      : []),
  ];
  return notes.length > 0 ? { note: notes.join(", ") } : {};
}

function headings(cpus: readonly CpuModel[]): string[] {
  return [...new Set(cpus.map(headingOf))];
}
