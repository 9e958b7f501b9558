/** A form for skip, warm-up and limit of a run. */
import { useState } from "react";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { count } from "../../model/shared/format";
import {
  plainWindow,
  windowLines,
  windowOf,
  windowProblem,
} from "../../model/shared/runWindow";
import type { Span } from "../../model/timeline/counts";
import type { WindowProblem } from "../../model/shared/runWindow";

const FIELDS = [
  {
    field: "skip",
    label: "skip",
    about: "at the start, not simulated",
  },
  {
    field: "warmup",
    label: "warm up with",
    about: "simulated, not counted",
  },
  {
    field: "limit",
    label: "count",
    about: "empty: all that follow",
  },
] as const;

type Draft = Readonly<Record<keyof RunWindow, string>>;

function draftOf(window: RunWindow | undefined): Draft {
  const { skip = 0, warmup = 0, limit } = window ?? {};
  return {
    skip: count(skip),
    warmup: count(warmup),
    limit: limit === undefined ? "" : count(limit),
  };
}

/** The window of the form's values, or the error in them. */
function read(draft: Draft, nAccesses: number): RunWindow | WindowProblem {
  const number = (field: keyof RunWindow) => {
    const digits = draft[field].replaceAll(/[\s,_]/g, "");
    if (digits === "") return undefined;
    return /^\d{1,15}$/.test(digits) ? Number(digits) : NaN;
  };
  const parsed = {
    skip: number("skip") ?? 0,
    warmup: number("warmup") ?? 0,
    limit: number("limit"),
  };
  const wrong = FIELDS.find(({ field }) => Number.isNaN(parsed[field]));
  if (wrong)
    return {
      field: wrong.field,
      message: `“${draft[wrong.field]}” is not a number: write a whole number such as 10,000.`,
    };
  const { skip, warmup, limit } = parsed;
  const window = { skip, warmup, ...(limit !== undefined && { limit }) };
  return windowProblem(window, nAccesses) ?? window;
}

export interface WindowFormProps {
  readonly window: RunWindow | undefined;
  readonly nAccesses: number;
  /** The window that the timeline shows. */
  readonly span: Span;
  readonly onChange: (window: RunWindow | undefined) => void;
  readonly onDone: () => void;
}

/** Three numbers and the resulting window. An error is shown when the user runs it. */
export function WindowForm(props: WindowFormProps) {
  const { window, nAccesses, span, onChange, onDone } = props;
  const [draft, setDraft] = useState(() => draftOf(window));
  const [isErrorShown, setIsErrorShown] = useState(false);
  const result = read(draft, nAccesses);
  const problem = "message" in result ? result : null;
  const isPart = span.from > 0 || span.to < nAccesses;
  const apply = (next: RunWindow | undefined) => {
    onChange(next);
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setIsErrorShown(true);
        if (!("message" in result)) apply(plainWindow(result));
      }}
    >
      {FIELDS.map(({ field, label, about }) => {
        const shownProblem =
          isErrorShown && problem?.field === field ? problem : null;
        return (
          <div key={field} className="timeline-window-field">
            <label>
              <span>{label}</span>
              <input
                className="field mono"
                inputMode="numeric"
                autoComplete="off"
                placeholder={field === "limit" ? "all" : "0"}
                value={draft[field]}
                aria-invalid={shownProblem !== null}
                aria-describedby={shownProblem ? `window-${field}` : undefined}
                onChange={(event) => {
                  setDraft({ ...draft, [field]: event.target.value });
                  setIsErrorShown(false);
                }}
              />
            </label>
            <span className="timeline-note">{about}</span>
            {shownProblem ? (
              <p id={`window-${field}`} className="problem" role="alert">
                {shownProblem.message}
              </p>
            ) : null}
          </div>
        );
      })}
      <ul className="timeline-window-lines">
        {"message" in result
          ? null
          : windowLines(result, nAccesses).map((line) => (
              <li key={line}>{line}</li>
            ))}
      </ul>
      <div className="timeline-window-actions">
        <button type="submit" className="btn primary">
          Run
        </button>
        {isPart ? (
          <button
            type="button"
            className="btn"
            onClick={() => apply(windowOf(span, nAccesses, window))}
          >
            Count the window
          </button>
        ) : null}
        {window ? (
          <button
            type="button"
            className="btn"
            onClick={() => apply(undefined)}
          >
            Count all
          </button>
        ) : null}
      </div>
      <p className="timeline-note">
        Or drag over the timeline with ⇧ held: the accesses before it then warm
        up. You can also drag the borders.
      </p>
    </form>
  );
}
