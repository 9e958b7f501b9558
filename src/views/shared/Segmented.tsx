import { useId } from "react";
import type { ReactNode } from "react";
import "./controls.css";

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** Why it cannot be chosen; shown on hover and read out. */
  readonly disabled?: string;
}

export interface SegmentedProps<T extends string> {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a few, side by side: radio buttons, so arrow keys move between them. */
export function Segmented<T extends string>({
  label,
  choices,
  value,
  onChange,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <div className="segmented" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className="segment" title={choice.disabled}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            aria-disabled={choice.disabled !== undefined}
            onChange={() => {
              if (choice.disabled === undefined) onChange(choice.value);
            }}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
