/** What the compiler says, in words below the editor; a press goes to the place. */
import type { Diagnostic } from "../../model/code/program";

export interface DiagnosticsProps {
  readonly diagnostics: readonly Diagnostic[];
  readonly onJump: (place: Pick<Diagnostic, "line" | "column">) => void;
}

export function Diagnostics({ diagnostics, onJump }: DiagnosticsProps) {
  if (diagnostics.length === 0) return null;
  return (
    <ul className="code-diagnostics" aria-label="Messages of the compiler">
      {diagnostics.map((each, at) => {
        const { severity, message, line, column, caret } = each;
        return (
          <li key={at} data-severity={severity}>
            {line === undefined ? null : (
              <button
                type="button"
                className="btn quiet"
                title="Go to this place in the editor"
                onClick={() => onJump(each)}
              >
                Line {line}
                {column === undefined ? "" : `:${column}`}
              </button>
            )}{" "}
            <span>
              <b>{severity}</b> {message}
            </span>
            {caret === "" ? null : <pre>{caret}</pre>}
          </li>
        );
      })}
    </ul>
  );
}
