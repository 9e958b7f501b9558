/**
 * Chooses what gets a core with its own TLBs and walk caches: each thread, or each processor of the trace.
 */
import type { Cores } from "../../engine/generated/Cores";
import { coresChoices, coresWord } from "../../model/config/cores";
import { Picker } from "./Picker";

export interface CoresPickerProps {
  readonly value: Cores;
  /** The number of distinct threads in the trace. */
  readonly threads: number;
  readonly cpus: number;
  readonly onChange: (cores: Cores) => void;
}

export function CoresPicker(props: CoresPickerProps) {
  const { value, threads, cpus, onChange } = props;
  const found = coresChoices(value, threads, cpus);
  const choices = found.map(({ value: key, text }) => ({ key, text }));
  return (
    <Picker
      label="Cores"
      text={coresWord(value)}
      sections={[{ choices }]}
      selected={value}
      onSelect={(key) => {
        const chosen = found.find((choice) => choice.value === key);
        if (chosen) onChange(chosen.value);
      }}
    />
  );
}
