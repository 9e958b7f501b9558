/** One field of a row: marks errors and changes, and shows the source of its value on hover. */
import { useContext } from "react";
import type { ReactNode } from "react";
import { FieldsContext, problemId, useOrigin, useProblem } from "./fields";
import { FieldTip } from "./FieldTip";
import { confidenceSentence } from "./origin";

export interface CellProps {
  /** Path of the field in the machine: `l1[0].ways`. */
  readonly path: string;
  /** Path of the same field in the CPU model, if the model has it. */
  readonly modelPath?: string | undefined;
  /** The text of the column header, for narrow screens. */
  readonly label: string;
  readonly value: string;
  /** The model's value; `undefined` if the model has no such field. */
  readonly modelValue?: string | undefined;
  /** What the field means, in plain words; shown on hover and on focus. */
  readonly help?: string | undefined;
  readonly children: (control: ControlProps) => ReactNode;
}

/** Attributes for the control inside, so that screen readers read its error and its source. */
export interface ControlProps {
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
  readonly "aria-description": string | undefined;
}

export function Cell(props: CellProps) {
  const { path, modelPath, label, value, modelValue, help, children } = props;
  const problem = useProblem(path);
  const origin = useOrigin(modelPath);
  const { model } = useContext(FieldsContext);
  const modelName = model?.name ?? "the model";
  const changed = modelValue !== undefined && modelValue !== value;
  const control: ControlProps = {
    "aria-invalid": problem !== undefined,
    "aria-describedby": problem && problemId(path),
    "aria-description":
      [
        help ?? "",
        changed ? `Your value; ${modelName} has ${modelValue}.` : "",
        origin ? confidenceSentence(origin) : "",
      ]
        .join(" ")
        .trim() || undefined,
  };
  const cell = (
    <span className="config-cell" data-changed={changed || undefined}>
      <span className="config-cell-label">{label}</span>
      {children(control)}
    </span>
  );
  // Always in the wrapper of the tip: else an arriving source would replace the control under the reader's hands.
  const isSilent = !origin && !changed && help === undefined;
  const tip = isSilent ? null : (
    <>
      {help === undefined ? null : <p>{help}</p>}
      {changed ? (
        <p className="tip-title">
          Your value; {modelName} has {modelValue}
        </p>
      ) : null}
      {origin ? (
        <>
          <p className={changed ? "" : "tip-title"}>
            {confidenceSentence(origin)}
          </p>
          <p className="tip-note">{origin.source}</p>
          {origin.note === undefined ? null : (
            <p className="tip-note">{origin.note}</p>
          )}
        </>
      ) : null}
    </>
  );
  return <FieldTip content={tip}>{cell}</FieldTip>;
}
