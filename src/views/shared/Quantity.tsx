import type { ReactNode } from "react";
import { Tooltip } from "./Tooltip";
import "./controls.css";

export interface ModelNumberProps {
  /** The number or its name, as written. */
  readonly children: ReactNode;
  /** How it is computed: "L2 hits × 9 cycles + …". */
  readonly formula: ReactNode;
  /** Where its constants come from, if anywhere. */
  readonly source?: ReactNode;
}

/** A number that is a model and not a count: dotted underline, the formula on hover and on focus. */
export function ModelNumber({ children, formula, source }: ModelNumberProps) {
  const content = (
    <>
      <p className="tip-title">A model, not a measurement</p>
      <div>{formula}</div>
      {source === undefined ? null : <p className="tip-note">{source}</p>}
    </>
  );
  return (
    <Tooltip content={content}>
      {/* A button, so that the keyboard and a finger reach the formula; it looks like text. */}
      <button type="button" className="model-number">
        {children}
      </button>
    </Tooltip>
  );
}

export interface FigureProps {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** Follows the value: "per access". */
  readonly unit?: ReactNode;
}

/** A key figure: quiet label, strong value, quiet unit. */
export function Figure({ label, value, unit }: FigureProps) {
  return (
    <span className="figure">
      <span className="figure-label">{label}</span>{" "}
      <b className="figure-value">{value}</b>
      {unit === undefined ? null : <span className="figure-unit"> {unit}</span>}
    </span>
  );
}
