import { useId, useState } from "react";
import { parseAccess } from "../../model/transport/accessNumber";
import { count } from "../../model/shared/format";
import type { AccessIndex } from "../../model/shared/units";

export interface AccessFieldProps {
  readonly cursor: AccessIndex;
  readonly nAccesses: number;
  readonly label: string;
  /** Whether the label is only for screen readers. */
  readonly quiet?: boolean;
  readonly onSeek: (access: AccessIndex) => void;
}

/** The access number. It follows the replay until the user edits it; Enter goes there, Escape cancels. */
export function AccessField({
  cursor,
  nAccesses,
  label,
  quiet = false,
  onSeek,
}: AccessFieldProps) {
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const reset = () => {
    setText(null);
    setProblem(null);
  };

  const commit = () => {
    if (text === null) return;
    const parsed = parseAccess(text, nAccesses);
    if (parsed.ok) {
      reset();
      onSeek(parsed.access);
    } else setProblem(parsed.problem);
  };

  return (
    <span className="access-field">
      <label
        htmlFor={id}
        className={quiet ? "visually-hidden" : "transport-word"}
      >
        {label}
      </label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        value={text ?? count(cursor)}
        // In digits of the monospace font; wide enough for the largest number of this trace.
        style={{
          width: `calc(${Math.max(6, count(nAccesses).length)}ch + 18px)`,
        }}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
        onBlur={reset}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          else if (event.key === "Escape") reset();
        }}
      />
      {problem === null ? null : (
        <span id={`${id}-problem`} role="alert" className="access-problem">
          {problem}
        </span>
      )}
    </span>
  );
}
