/** What has a core of its own: TLBs and walk caches for each thread, or for each processor of the trace. */
import { ListBoxItem } from "react-aria-components";
import type { Cores } from "../../engine/generated/Cores";
import { coresChoices, coresWord } from "../../model/cores";
import { Picker } from "./Picker";

export interface CoresPickerProps {
  readonly value: Cores;
  /** Distinct ones in the trace. */
  readonly threads: number;
  readonly cpus: number;
  readonly onChange: (cores: Cores) => void;
}

export function CoresPicker(props: CoresPickerProps) {
  const { value, threads, cpus, onChange } = props;
  const choices = coresChoices(value, threads, cpus);
  return (
    <Picker
      label="Cores"
      text={coresWord(value)}
      selected={value}
      onSelect={(key) => {
        const found = choices.find((choice) => choice.value === key);
        if (found) onChange(found.value);
      }}
    >
      {choices.map(({ value: cores, text }) => (
        <ListBoxItem
          key={cores}
          id={cores}
          textValue={text}
          className="menu-item"
        >
          {text}
        </ListBoxItem>
      ))}
    </Picker>
  );
}
