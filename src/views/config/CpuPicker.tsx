/** Chooses the simulated CPU model; the last item opens the editor. */
import type { CpuModel } from "../../engine/generated/CpuModel";
import { baseId, cpuOf, headingOf, variantId } from "../../model/config/cpus";
import { counted } from "../../model/shared/format";
import type { ListSection } from "../shared/opener/FloatingList";
import { Picker } from "./Picker";

export interface CpuPickerProps {
  readonly cpus: readonly CpuModel[];
  /** The id of the CPU model that the machine started from. */
  readonly value: string;
  /** The name of an edited machine. */
  readonly name?: string;
  /** Whether the user has changed the machine. */
  readonly edited: boolean;
  /** Marks an edited machine with a star. */
  readonly brief?: boolean;
  readonly onChange: (id: string) => void;
  /** Opens the editor; missing = the machine cannot be edited here. */
  readonly onEdit?: () => void;
}

const EDIT = "edit…";

export function CpuPicker(props: CpuPickerProps) {
  const { cpus, value, edited, brief = false, onChange, onEdit } = props;
  const model = cpuOf(cpus, value)?.name ?? value;
  const name = edited ? (props.name ?? model) : model;
  const text = edited ? "Continue editing…" : "Edit this machine…";
  const edit = { choices: [{ key: EDIT, text, full: "Edit" }] };
  return (
    <Picker
      label="CPU"
      text={edited ? `${name}, edited` : name}
      short={brief && edited ? `${name}*` : undefined}
      sections={[...modelSections(cpus, value), ...(onEdit ? [edit] : [])]}
      // An edited machine is not in the list, so the user can choose its model again.
      selected={edited ? null : value}
      onSelect={(key) => (key === EDIT ? onEdit?.() : onChange(key))}
    />
  );
}

/** The models by group or vendor; only the chosen model shows its variants, which keeps the list short. */
function modelSections(
  cpus: readonly CpuModel[],
  chosen: string,
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
          ...(cpu.variants.length > 0 &&
            cpu.id !== base && {
              note: counted(cpu.variants.length, "variant"),
            }),
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

function headings(cpus: readonly CpuModel[]): string[] {
  return [...new Set(cpus.map(headingOf))];
}
