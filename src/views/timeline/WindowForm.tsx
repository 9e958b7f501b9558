/** A form for skip, warm-up and limit of a run. */
import type { Place } from "../../engine/generated/Place";
import { useState } from "react";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { count } from "../../model/shared/format";
import {
  plainWindow,
  windowLines,
  windowOf,
} from "../../model/shared/runWindow";
import type { Span } from "../../model/timeline/counts";

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

interface WindowProblem {
  readonly field: string;
  readonly message: string;
}

/** The window of the form's values, or the error in them. */
function read(draft: Draft): RunWindow | WindowProblem {
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
  return { skip, warmup, ...(limit !== undefined && { limit }) };
}

/** Why the core cannot count a window. */
interface Rejection {
  readonly message: string;
  readonly at?: Place | undefined;
}

/**
 * Changes what is counted. `onAccepted` is called if that is possible; the promise resolves with the reason if it
 * is not.
 */
export type OnWindow = (
  window: RunWindow | undefined,
  onAccepted?: () => void,
) => Promise<Rejection | undefined>;

/** The field of the error in this form; an error elsewhere is shown at the last one. */
function problemOf({ message, at }: Rejection): WindowProblem {
  const path = at && "field" in at ? at.field : "";
  const found = FIELDS.find(({ field }) => path === `window.${field}`);
  return { field: found?.field ?? "limit", message };
}

export interface WindowFormProps {
  readonly window: RunWindow | undefined;
  readonly nAccesses: number;
  /** The window that the timeline shows. */
  readonly span: Span;
  readonly onChange: OnWindow;
  readonly onDone: () => void;
}

/** Three numbers and the resulting window. The form is done when the core accepts it. */
export function WindowForm(props: WindowFormProps) {
  const { window, nAccesses, span, onChange, onDone } = props;
  const [draft, setDraft] = useState(() => draftOf(window));
  const [problem, setProblem] = useState<WindowProblem>();
  const result = read(draft);
  const isPart = span.from > 0 || span.to < nAccesses;
  const apply = async (next: RunWindow | undefined) => {
    const rejected = await onChange(next, onDone);
    if (rejected) setProblem(problemOf(rejected));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if ("message" in result) setProblem(result);
        else void apply(plainWindow(result));
      }}
    >
      {FIELDS.map(({ field, label, about }) => {
        const told = problem?.field === field ? problem : null;
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
                aria-invalid={told !== null}
                aria-describedby={told ? `window-${field}` : undefined}
                onChange={(event) => {
                  setDraft({ ...draft, [field]: event.target.value });
                  setProblem(undefined);
                }}
              />
            </label>
            <span className="timeline-note">{about}</span>
            {told ? (
              <p id={`window-${field}`} className="problem" role="alert">
                {told.message}
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
            onClick={() => void apply(windowOf(span, nAccesses, window))}
          >
            Count the window
          </button>
        ) : null}
        {window ? (
          <button
            type="button"
            className="btn"
            onClick={() => void apply(undefined)}
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
