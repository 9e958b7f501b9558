import { Cell } from "./Cell";
import type { CellProps } from "./Cell";

export interface ChoiceFieldProps<T extends string> extends Omit<
  CellProps,
  "children" | "value" | "modelValue"
> {
  readonly name: string;
  readonly value: T;
  readonly modelValue?: T | undefined;
  readonly choices: readonly { readonly value: T; readonly word: string }[];
  readonly onChange: (value: T) => void;
}

/** A choice of one value from a list. */
export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { name, value, modelValue, choices, onChange, ...cell } = props;
  return (
    <Cell {...cell} value={value} modelValue={modelValue}>
      {(control) => (
        <select
          {...control}
          className="field config-choice"
          aria-label={name}
          value={value}
          onChange={(event) => {
            const found = choices.find(
              (choice) => choice.value === event.target.value,
            );
            if (found) onChange(found.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.word}
            </option>
          ))}
        </select>
      )}
    </Cell>
  );
}
