import { useContext, useId } from "react";
import { FieldsContext, problemId } from "./fields";
import { FieldTip } from "./FieldTip";

export interface CheckFieldProps {
  /** Path of the field in the machine: `os.thp.at_fault`. */
  readonly path: string;
  readonly label: string;
  /** What the field means, in plain words; shown on hover and on focus. */
  readonly help?: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** A checkbox with its label. */
export function CheckField(props: CheckFieldProps) {
  const { path, label, help, value, onChange } = props;
  const { problems } = useContext(FieldsContext);
  const helpId = useId();
  const isWrong = problems.some(({ field }) => field === path);
  const described = [
    ...(isWrong ? [problemId(path)] : []),
    ...(help === undefined ? [] : [helpId]),
  ];
  const control = (
    <label className="config-check">
      <input
        type="checkbox"
        checked={value}
        aria-invalid={isWrong}
        aria-describedby={described.join(" ") || undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
  if (help === undefined) return control;
  return (
    <>
      <FieldTip content={<p>{help}</p>}>{control}</FieldTip>
      <span id={helpId} className="visually-hidden">
        {help}
      </span>
    </>
  );
}
