/** Which CPU model is simulated; the last item opens the editor. */
import {
  Header,
  ListBoxItem,
  ListBoxSection,
  Separator,
} from "react-aria-components";
import type { CpuModel } from "../../engine/generated/CpuModel";
import { baseId, cpuOf, variantId } from "../../model/cpus";
import { counted } from "../../model/format";
import { Picker } from "./Picker";

export interface CpuPickerProps {
  readonly cpus: readonly CpuModel[];
  /** The id of the model that the machine was made from. */
  readonly value: string;
  /** The machine is not the model's own any more. */
  readonly edited: boolean;
  readonly onChange: (id: string) => void;
  /** Missing = the machine cannot be edited here. */
  readonly onEdit?: () => void;
}

const EDIT = "edit…";

export function CpuPicker(props: CpuPickerProps) {
  const { cpus, value, edited, onChange, onEdit } = props;
  const name = cpuOf(cpus, value)?.name ?? value;
  const base = baseId(value);
  return (
    <Picker
      label="CPU"
      text={edited ? `${name}, edited` : name}
      // An edited machine is no item of the list, so that its model can be chosen again.
      selected={edited ? null : value}
      onSelect={(key) => (key === EDIT ? onEdit?.() : onChange(key))}
    >
      {vendors(cpus).map((vendor) => (
        <ListBoxSection key={vendor}>
          <Header className="menu-header">{vendor}</Header>
          {cpus
            .filter((cpu) => cpu.vendor === vendor)
            .flatMap((cpu) => [
              <ListBoxItem
                key={cpu.id}
                id={cpu.id}
                textValue={cpu.name}
                className="menu-item"
              >
                {cpu.name}
                {cpu.variants.length > 0 && cpu.id !== base ? (
                  <span className="menu-note">
                    {counted(cpu.variants.length, "variant")}
                  </span>
                ) : null}
              </ListBoxItem>,
              // Those of the chosen model only: the list is long as it is.
              ...(cpu.id === base ? cpu.variants : []).map((variant) => (
                <ListBoxItem
                  key={variantId(cpu, variant)}
                  id={variantId(cpu, variant)}
                  textValue={`${cpu.name}, ${variant.name}`}
                  className="menu-item menu-variant"
                >
                  <span title={variant.note}>{variant.name}</span>
                </ListBoxItem>
              )),
            ])}
        </ListBoxSection>
      ))}
      {onEdit ? (
        <>
          <Separator className="menu-line" />
          <ListBoxItem id={EDIT} textValue="Edit" className="menu-item">
            {edited ? "Go on editing…" : "Edit this machine…"}
          </ListBoxItem>
        </>
      ) : null}
    </Picker>
  );
}

function vendors(cpus: readonly CpuModel[]): string[] {
  return [...new Set(cpus.map(({ vendor }) => vendor))];
}
