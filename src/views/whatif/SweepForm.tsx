/** The fields and values of a sweep, and the sweep as a file for the command line. */
import { useId } from "react";
import type { SweepAxis } from "../../model/whatif/sweep";
import type { SweepField } from "../../model/whatif/sweepFields";
import { CommandLine } from "../shared/CommandLine";
import "./sweep.css";

export interface SweepFormProps {
  readonly axes: readonly SweepAxis[];
  readonly fields: readonly SweepField[];
  /** The sweep as JSON; `undefined` if the values have errors. */
  readonly spec: string | undefined;
  /**
   * The name under which the trace must be saved for the command line; `undefined` if the trace is generated.
   */
  readonly traceFile: string | undefined;
  readonly problem: string | undefined;
  readonly isRunning: boolean;
  readonly onChange: (axes: readonly SweepAxis[]) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
  readonly onSave: () => void;
}

export function SweepForm(props: SweepFormProps) {
  const { axes, fields, spec, problem, isRunning, onChange } = props;
  const list = useId();
  const put = (at: number, part: Partial<SweepAxis>) =>
    onChange(
      axes.map((axis, each) => (each === at ? { ...axis, ...part } : axis)),
    );
  const choose = (at: number, text: string) => {
    const known = fields.find(
      ({ field, label }) => field === text || label === text,
    );
    put(
      at,
      known ? { field: known.field, values: known.values } : { field: text },
    );
  };
  const other = fields.find(
    ({ field }) => !axes.some((axis) => axis.field === field),
  );
  return (
    <form
      className="wi-sweep"
      aria-label="Sweep"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning && spec !== undefined) props.onRun();
      }}
    >
      <datalist id={list}>
        {fields.map(({ field, label }) => (
          <option key={field} value={field} label={label} />
        ))}
      </datalist>
      {axes.map((axis, at) => (
        <div className="wi-sweep-axis" key={at}>
          <label>
            <span>{at === 0 ? "Field" : "and field"}</span>
            <input
              className="wi-input mono"
              list={list}
              value={axis.field}
              spellCheck={false}
              onChange={({ target }) => choose(at, target.value)}
            />
          </label>
          <label>
            <span>Values</span>
            <input
              className="wi-input mono"
              value={axis.values}
              spellCheck={false}
              onChange={({ target }) => put(at, { values: target.value })}
            />
          </label>
          {axes.length > 1 ? (
            <button
              type="button"
              className="btn quiet"
              aria-label={`Remove ${axis.field}`}
              onClick={() => onChange(axes.filter((_, each) => each !== at))}
            >
              Remove
            </button>
          ) : null}
        </div>
      ))}
      <p className="t3 small">
        Values with commas between them, or a range: 64..4096 times 2, 1..8 step
        1. A field is a path in the machine or its memory, as in{" "}
        <code>pagewalk sweep</code>.
      </p>
      {problem === undefined ? null : (
        <p className="wi-problem" role="status">
          {problem}
        </p>
      )}
      <p className="wi-sweep-buttons">
        {isRunning ? (
          <button type="button" className="btn" onClick={props.onCancel}>
            Cancel
          </button>
        ) : (
          <button
            type="submit"
            className="btn primary"
            disabled={spec === undefined}
          >
            Run the sweep
          </button>
        )}
        {axes.length < 2 && other ? (
          <button
            type="button"
            className="btn"
            onClick={() =>
              onChange([...axes, { field: other.field, values: other.values }])
            }
          >
            Add a field
          </button>
        ) : null}
      </p>
      <details className="wi-more">
        <summary>On the command line</summary>
        <pre
          className="wi-spec mono small"
          // The file scrolls if it is long.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          {spec ?? ""}
        </pre>
        <p className="wi-sweep-buttons">
          <button
            type="button"
            className="btn"
            disabled={spec === undefined}
            onClick={props.onSave}
          >
            Save sweep.json
          </button>
        </p>
        {props.traceFile === undefined ? null : (
          <p className="t3 small">
            It expects the trace in the same folder as{" "}
            <code>{props.traceFile}</code>: save the trace under that name
            first, in the dialog that imports traces.
          </p>
        )}
        <CommandLine text="pagewalk sweep sweep.json" what="this sweep" />
      </details>
    </form>
  );
}
