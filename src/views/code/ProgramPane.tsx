/** The code of a program: its tools, the editor, and what went wrong. */
import type { ReactNode } from "react";
import { counted } from "../../model/shared/format";
import type { ProgramText, CodeProgram } from "../../model/code/code";
import type { CodeExample, CodePair } from "../../model/code/scriptExamples";
import { ProgressBar } from "../shared/Progress";
import { Editor } from "./Editor";
import { ProgramFiles } from "./ProgramFiles";

export interface ProgramPaneProps {
  readonly program: CodeProgram;
  /** Before the labels, if there are two programs: `First program: `. */
  readonly before: string;
  readonly examples: readonly CodeExample[];
  readonly pairs: readonly CodePair[];
  /** The modifier key of the run shortcut, before Enter. */
  readonly runKey: string;
  /** A button at the end of the tools. */
  readonly action: ReactNode;
  /** Below the editor. */
  readonly footer: ReactNode;
  readonly onEdit: (part: Partial<ProgramText>) => void;
  readonly onExample: (example: CodeExample) => void;
  readonly onPair: (pair: CodePair) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

export function ProgramPane(props: ProgramPaneProps) {
  const { program, before, examples, pairs, runKey, action } = props;
  const { onEdit, onRun, onCancel } = props;
  const { run } = program;
  const problem = run?.status === "failed" ? run.problem : undefined;
  return (
    <section className="code-pane" aria-label={`${before}Code`}>
      <div className="code-bar">
        <select
          className="field"
          aria-label={`${before}Example`}
          value=""
          onChange={({ target: { value } }) => {
            const example = examples.find(({ id }) => id === value);
            if (example) props.onExample(example);
            const pair = pairs.find(({ id }) => id === value);
            if (pair) props.onPair(pair);
          }}
        >
          <option value="">Examples</option>
          <optgroup label="Two programs, side by side">
            {pairs.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
          <optgroup label="One program">
            {examples.map(({ id, name, about }) => (
              <option key={id} value={id}>
                {name}: {about}
              </option>
            ))}
          </optgroup>
        </select>
        <input
          className="field code-name"
          aria-label={`${before}Name of the trace`}
          maxLength={80}
          value={program.name}
          onChange={(event) => onEdit({ name: event.target.value })}
        />
        <span className="spacer" />
        <ProgramFiles program={program} onEdit={onEdit} />
        {run?.status === "running" ? (
          <button type="button" className="btn" onClick={onCancel}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            className="btn primary"
            title={`Run (${runKey}+Enter)`}
            onClick={onRun}
          >
            Run
          </button>
        )}
        {action}
      </div>
      <div className="code-progress" aria-live="polite">
        {run?.status === "running" ? (
          <ProgressBar
            label={`Running: ${counted(run.accesses, "access", "accesses")}`}
            done={run.accesses}
          />
        ) : null}
      </div>
      <Editor
        label={`${before}Code of the program`}
        value={program.code}
        problem={problem}
        onChange={(code) => onEdit({ code })}
        onRun={onRun}
      />
      {program.isTooLong ? (
        <p className="code-long t2" role="status">
          The code is too long for a link. Save it as a file to share it.
        </p>
      ) : null}
      {problem ? (
        // The editor shows it at its line.
        <p className="sr-only" role="alert">
          {problem.line === undefined ? "" : `Line ${problem.line}. `}
          {problem.message}
        </p>
      ) : null}
      {props.footer}
    </section>
  );
}
