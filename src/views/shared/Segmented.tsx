import { useId } from "react";
import type { ReactNode } from "react";
import "./controls.css";

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** The language of the label, if it is not that of the page. */
  readonly lang?: string;
  /** Why the option is unavailable; shown on hover and read aloud. */
  readonly disabled?: string;
}

export interface SegmentedProps<T extends string> {
  /** What the user chooses, for screen readers. */
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/**
 * A choice of one from a few, in a row: radio buttons, so arrow keys move between them. The browser does the work, so
 * a component of react-aria-components would add code and save none.
 */
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
          <span lang={choice.lang}>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
