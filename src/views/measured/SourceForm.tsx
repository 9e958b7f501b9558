/** The source of the counters: pasted text or a file. */
import { useId, useRef, useState } from "react";
import { Icon } from "../shared/Icon";

export interface SourceFormProps {
  /** The text that was read last. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onFile: (file: File) => void;
  /** Removes the text that was read; `undefined` = there is none. */
  readonly onClear: (() => void) | undefined;
}

const PLACEHOLDER = ` Performance counter stats for './my-program':

     9,069,839  dtlb_load_misses.walk_active
   126,098,937  cycles`;

/** A longer text is not shown in the field, because that would be slow and of no use. */
const MOST_SHOWN = 50_000;

export function SourceForm({ text, onText, onFile, onClear }: SourceFormProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isLong = text.length > MOST_SHOWN;
  const [typed, setTyped] = useState(isLong ? "" : text);
  return (
    <div className="measured-source">
      <label htmlFor={id} className="t2">
        The output of perf stat: plain, -x or -j; single runs, -r or -I; any
        language.
      </label>
      <textarea
        id={id}
        className="field mono"
        rows={8}
        spellCheck={false}
        wrap="off"
        placeholder={
          isLong ? "Too long to show here; paste another text." : PLACEHOLDER
        }
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="measured-buttons">
        <button
          type="button"
          className="btn primary"
          aria-disabled={typed.trim() === ""}
          title={typed.trim() === "" ? "Paste a text first" : undefined}
          onClick={() => {
            if (typed.trim() !== "") onText(typed);
          }}
        >
          Read the text
        </button>
        <button
          type="button"
          className="btn"
          onClick={() => input.current?.click()}
        >
          <Icon name="open" /> File…
        </button>
        {onClear ? (
          <button type="button" className="btn quiet" onClick={onClear}>
            Clear
          </button>
        ) : null}
        <input
          ref={input}
          type="file"
          hidden
          data-testid="measured-file"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) onFile(file);
            event.target.value = "";
          }}
        />
      </div>
    </div>
  );
}
