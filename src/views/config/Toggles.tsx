import { Cell } from "./Cell";
import type { CellProps } from "./Cell";

export interface TogglesProps<T extends string> extends Omit<
  CellProps,
  "children" | "value" | "modelValue"
> {
  readonly name: string;
  readonly choices: readonly { readonly value: T; readonly word: string }[];
  readonly value: readonly T[];
  readonly modelValue?: readonly T[] | undefined;
  readonly onChange: (value: readonly T[]) => void;
}

/**
 * Several choices in a row that can be on together; their order is kept. They are plain buttons, each a stop of Tab
 * like the other fields; the group of react-aria-components would move between them with arrow keys.
 */
export function Toggles<T extends string>(props: TogglesProps<T>) {
  const { name, choices, value, modelValue, onChange, ...cell } = props;
  return (
    <Cell
      {...cell}
      value={value.join(", ")}
      modelValue={modelValue?.join(", ")}
    >
      {(control) => (
        <span {...control} role="group" aria-label={name} className="toggles">
          {choices.map((choice) => {
            const isOn = value.includes(choice.value);
            const next = choices
              .map((other) => other.value)
              .filter((other) =>
                other === choice.value ? !isOn : value.includes(other),
              );
            return (
              <button
                key={choice.value}
                type="button"
                className="toggle"
                aria-pressed={isOn}
                aria-label={choice.value}
                title={choice.value}
                onClick={() => onChange(next)}
              >
                {choice.word}
              </button>
            );
          })}
        </span>
      )}
    </Cell>
  );
}
