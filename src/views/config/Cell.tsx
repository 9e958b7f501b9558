/** One field of a row: marks a problem and a change, and tells on hover where its value comes from. */
import { useContext } from "react";
import type { ReactNode } from "react";
import { FieldsContext, problemId, useOrigin, useProblem } from "./fields";
import { FieldTip } from "./FieldTip";
import { confidenceSentence } from "./origin";

export interface CellProps {
  /** The field in the machine: `l1[0].ways`. */
  readonly path: string;
  /** The same field in the CPU model, if it has it. */
  readonly modelPath?: string | undefined;
  /** As the column header says, for narrow screens. */
  readonly label: string;
  readonly value: string;
  /** The model's value; `undefined` if it has no such field. */
  readonly modelValue?: string | undefined;
  /** What the field means, in plain words; told on hover and on focus. */
  readonly help?: string | undefined;
  readonly children: (control: ControlProps) => ReactNode;
}

/** For the control inside, so that its problem and its origin are read out with it. */
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
        changed ? `Yours; ${modelName} has ${modelValue}.` : "",
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
  if (!origin && !changed && help === undefined) return cell;
  const tip = (
    <>
      {help === undefined ? null : <p>{help}</p>}
      {changed ? (
        <p className="tip-title">
          Yours; {modelName} has {modelValue}
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
