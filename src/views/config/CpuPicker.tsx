/** Which CPU model is simulated; the last item opens the editor. */
import {
  Header,
  ListBoxItem,
  ListBoxSection,
  Separator,
} from "react-aria-components";
import type { CpuModel } from "../../engine/generated/CpuModel";
import { Picker } from "./Picker";

export interface CpuPickerProps {
  readonly cpus: readonly CpuModel[];
  /** The id of the model that the machine was made from. */
  readonly value: string;
  /** The machine is not the model's own any more. */
  readonly edited: boolean;
  readonly onChange: (id: string) => void;
  readonly onEdit: () => void;
}

const EDIT = "edit…";

export function CpuPicker(props: CpuPickerProps) {
  const { cpus, value, edited, onChange, onEdit } = props;
  const name = cpus.find(({ id }) => id === value)?.name ?? value;
  return (
    <Picker
      label="CPU"
      text={edited ? `${name}, edited` : name}
      // An edited machine is no item of the list, so that its model can be chosen again.
      selected={edited ? null : value}
      onSelect={(key) => (key === EDIT ? onEdit() : onChange(key))}
    >
      {vendors(cpus).map((vendor) => (
        <ListBoxSection key={vendor}>
          <Header className="menu-header">{vendor}</Header>
          {cpus
            .filter((cpu) => cpu.vendor === vendor)
            .map(({ id, name }) => (
              <ListBoxItem
                key={id}
                id={id}
                textValue={name}
                className="menu-item"
              >
                {name}
              </ListBoxItem>
            ))}
        </ListBoxSection>
      ))}
      <Separator className="menu-line" />
      <ListBoxItem id={EDIT} textValue="Edit" className="menu-item">
        {edited ? "Go on editing…" : "Edit this machine…"}
      </ListBoxItem>
    </Picker>
  );
}

function vendors(cpus: readonly CpuModel[]): string[] {
  return [...new Set(cpus.map(({ vendor }) => vendor))];
}
