/** The line of the source that makes the access, lit among its neighbours. A press on a line shows its next walk. */
import type { SourceView } from "../../engine/generated/SourceView";
import { placeText, sourceLines } from "../../model/replay/source";
import "./source.css";

export interface SourceStripProps {
  /** `undefined` if the line of this access is not known. */
  readonly source: SourceView | undefined;
  /** The user's own program, if the trace was opened from it. */
  readonly code?: string | undefined;
  /** The lines before and after the line of the access. */
  readonly around: number;
  readonly onLine: (line: number, direction: 1 | -1) => void;
}

export function SourceStrip(props: SourceStripProps) {
  const { source, code, around, onLine } = props;
  if (!source)
    return (
      <section className="source" aria-label="Source">
        <p className="t2 small">
          The line of this access is not known: its instruction has none.
        </p>
      </section>
    );
  const lines = sourceLines(source, code, around);
  // A trace without texts names its lines only.
  const hasTexts = lines.some(({ text }) => text !== "");
  return (
    <section className="source" aria-label="Source">
      <p className="source-place small" title={source.file}>
        <b>{placeText(source)}</b>
      </p>
      {hasTexts ? (
        <ol className="source-lines mono">
          {lines.map(({ line, text }) => (
            <li
              key={line}
              aria-current={line === source.line ? "true" : undefined}
            >
              <button
                type="button"
                className="plain-button"
                title="Show the next walk of this line; with Shift the one before"
                onClick={(event) => onLine(line, event.shiftKey ? -1 : 1)}
              >
                <span className="source-number t2">{line}</span>
                <span className="source-text">{text}</span>
              </button>
            </li>
          ))}
        </ol>
      ) : (
        <button
          type="button"
          className="btn quiet"
          onClick={() => onLine(source.line, 1)}
        >
          next walk of this line
        </button>
      )}
    </section>
  );
}
