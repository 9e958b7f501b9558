import type { ReactNode } from "react";
import { Tooltip } from "./Tooltip";
import "./controls.css";

export interface ExplainedProps {
  /** The number or its name, as written. */
  readonly children: ReactNode;
  /** How it is computed: "L2 hits × 9 cycles + …". */
  readonly content: ReactNode;
  /** A model and not a count: it gets a dotted underline and says so. */
  readonly model: boolean;
  /** Where its constants come from, if anywhere. */
  readonly source?: ReactNode;
}

/** A number that explains itself on hover and on focus. */
export function Explained({
  children,
  content,
  model,
  source,
}: ExplainedProps) {
  const explanation = (
    <>
      {model ? <p className="tip-title">A model, not a measurement</p> : null}
      <div>{content}</div>
      {source === undefined ? null : <p className="tip-note">{source}</p>}
    </>
  );
  return (
    <Tooltip content={explanation} tap>
      {/* A button, so that the keyboard and a finger reach the explanation; it looks like text. */}
      <button
        type="button"
        className={model ? "plain-button model-number" : "plain-button"}
      >
        {children}
      </button>
    </Tooltip>
  );
}

export interface ModelNumberProps extends Omit<
  ExplainedProps,
  "content" | "model"
> {
  readonly formula: ReactNode;
}

/** A number that is a model and not a count: dotted underline, the formula on hover and on focus. */
export function ModelNumber({ children, formula, source }: ModelNumberProps) {
  return (
    <Explained content={formula} model source={source}>
      {children}
    </Explained>
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
