import { useContext } from "react";
import type { ReactNode } from "react";
import type { TermId } from "../../model/glossary/terms";
import { Term, TermsContext } from "./terms/Term";
import { Tooltip } from "./Tooltip";
import "./controls.css";

export interface ExplainedProps {
  /** The number or its name. */
  readonly children: ReactNode;
  /** How the number is computed: "L2 hits × 9 cycles + …". */
  readonly content: ReactNode;
  /** Whether the number comes from a model and not from counting: it gets a dotted underline and a note. */
  readonly model: boolean;
  /** The source of the constants, if they have one. */
  readonly source?: ReactNode;
  /** The card of the number’s name: a click or Enter opens it. */
  readonly term?: TermId;
}

/** A number with an explanation on hover and on focus. */
export function Explained({
  children,
  content,
  model,
  source,
  term,
}: ExplainedProps) {
  const open = useContext(TermsContext);
  const explanation = (
    <>
      {model ? <p className="tip-title">A model, not a measurement</p> : null}
      <div>{content}</div>
      {source === undefined ? null : <p className="tip-note">{source}</p>}
      {term && open ? (
        <p className="tip-note">
          <Term term={term}>In the glossary</Term>
        </p>
      ) : null}
    </>
  );
  return (
    <Tooltip content={explanation} tap>
      {/* A button, so that the keyboard and a finger reach the explanation; it looks like text. */}
      <button
        type="button"
        className={model ? "plain-button model-number" : "plain-button"}
        onClick={(event) => {
          // A finger has no hover: its tap opens the explanation, which has a link.
          if (!term || !open || isTouch(event.nativeEvent)) return;
          event.stopPropagation();
          open(term, event.currentTarget);
        }}
      >
        {children}
      </button>
    </Tooltip>
  );
}

const isTouch = (event: Event) =>
  event instanceof PointerEvent && event.pointerType === "touch";

export interface ModelNumberProps extends Omit<
  ExplainedProps,
  "content" | "model"
> {
  readonly formula: ReactNode;
}

/** A number from a model: dotted underline, with its formula on hover and on focus. */
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
  /** Text after the value: "per access". */
  readonly unit?: ReactNode;
}

/** A key figure: pale label, bold value, pale unit. */
export function Figure({ label, value, unit }: FigureProps) {
  return (
    <span className="figure">
      <span className="figure-label">{label}</span>{" "}
      <b className="figure-value">{value}</b>
      {unit === undefined ? null : <span className="figure-unit"> {unit}</span>}
    </span>
  );
}
