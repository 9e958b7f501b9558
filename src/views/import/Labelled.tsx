/** A field with its label above, and below it how sure the value is or what is wrong. */
import { useId } from "react";
import type { ReactNode } from "react";

export interface LabelledProps {
  readonly label: string;
  /** How sure the value is (`sure`, `guess`), or what it refers to. */
  readonly note?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: (id: string) => ReactNode;
}

export function Labelled({ label, note, problem, children }: LabelledProps) {
  const id = useId();
  return (
    <div className="labelled">
      <div className="labelled-head">
        <label htmlFor={id}>{label}</label>
        <span className="t2">{note}</span>
      </div>
      {children(id)}
      {problem === undefined ? null : (
        <p className="problem small" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

export interface Option {
  readonly value: string;
  readonly word: string;
}

export interface SelectFieldProps extends Omit<LabelledProps, "children"> {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

export function SelectField(props: SelectFieldProps) {
  const { value, options, onChange, ...labelled } = props;
  return (
    <Labelled {...labelled}>
      {(id) => (
        <select
          id={id}
          className="field"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(({ value, word }) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export interface NumberTextProps extends Omit<LabelledProps, "children"> {
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
  readonly onEnter?: () => void;
}

/** A number as text; the place that uses it checks it. */
export function NumberText(props: NumberTextProps) {
  const { value, placeholder, onChange, onEnter, ...labelled } = props;
  return (
    <Labelled {...labelled}>
      {(id) => (
        <input
          id={id}
          className="field"
          inputMode="decimal"
          autoComplete="off"
          placeholder={placeholder}
          aria-invalid={labelled.problem !== undefined || undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={({ key }) => {
            if (key === "Enter") onEnter?.();
          }}
        />
      )}
    </Labelled>
  );
}
