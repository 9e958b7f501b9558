/** The code of a program: its tools, the editor, and what went wrong. */
import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import { percentOf } from "../../model/shared/format";
import type {
  CodeProgram,
  CompilerPhase,
  ProgramSlot,
  ProgramText,
} from "../../model/code/code";
import type { CodeExample, CodePair } from "../../model/code/scriptExamples";
import { ProgressBar } from "../shared/Progress";
import { languageOf, sameBuild } from "../../model/code/build";
import { countOf } from "../../model/code/examples";
import { stepText } from "../../model/code/stepText";
import type { CodeLanguage } from "../../model/code/build";
import { exceptionsHint } from "../../model/code/noExceptions";
import type { LineQuantity, LineTable } from "../../model/code/lines";
import { BuildPicker } from "./BuildPicker";
import { CompilerStrip } from "./CompilerStrip";
import { Diagnostics } from "./Diagnostics";
import { Editor } from "./Editor";
import type { EditorPlace } from "./Editor";
import { LineStrip } from "./LineStrip";
import { Sliders } from "./Sliders";
import { ProgramFiles } from "./ProgramFiles";
import "./pane.css";

export interface ProgramPaneProps {
  readonly program: CodeProgram;
  readonly slot: ProgramSlot;
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
  readonly compiler: CompilerPhase | undefined;
  /** The counts of the last run by line; missing before one. */
  readonly lines: LineTable | undefined;
  /** The line of the access at the cursor. */
  readonly at: number | undefined;
  readonly onLanguage: (language: CodeLanguage) => void;
  readonly onLoadCompiler: () => void;
  readonly onCancelCompiler: () => void;
  /** Goes to a walk of a line. */
  readonly onLine: (line: number, direction: 1 | -1) => void;
  readonly onEdit: (part: Partial<ProgramText>) => void;
  readonly onExample: (example: CodeExample) => void;
  readonly onPair: (pair: CodePair) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

export function ProgramPane(props: ProgramPaneProps) {
  const { program, before, runKey, action } = props;
  const { onEdit, onRun, onCancel } = props;
  const { run, counting, shown, code, build } = program;
  const isHere = (each: ProgramText) =>
    (each.build === undefined) === (program.build === undefined);
  const examples = props.examples.filter(isHere);
  const pairs = props.pairs.filter(({ programs: [first] }) => isHere(first));
  const [chosen, setBy] = useState<LineQuantity>();
  const by = chosen ?? countOf(shown ?? program);
  const [caret, setCaret] = useState(1);
  const [jump, setJump] = useState<EditorPlace>();
  const { lines } = props;
  const ranCode = shown?.code;
  const heat = useMemo(
    () => lines && ranCode !== undefined && { table: lines, by, code: ranCode },
    [lines, by, ranCode],
  );
  const isStale = shown?.code !== code || !sameBuild(shown.build, build);
  const said =
    run?.status === "failed"
      ? // The editor shows errors at their lines.
        (run.problem.diagnostics ?? []).filter(
          ({ severity, line }) => severity !== "error" || line === undefined,
        )
      : isStale
        ? []
        : (shown.result.compiled?.diagnostics ?? []);
  const hint = useMemo(
    () => exceptionsHint(languageOf(build), code),
    [build, code],
  );
  const problem = run?.status === "failed" ? run.problem : undefined;
  const trap = isStale ? undefined : shown.result.compiled?.trap;
  return (
    <section
      className="code-pane"
      aria-label={`${before}Code`}
      data-slot={props.slot}
    >
      <div className="code-bar">
        <BuildPicker
          build={build}
          before={before}
          onLanguage={props.onLanguage}
          onBuild={(to) => onEdit({ build: to })}
        />
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
        <div className="code-actions">
          <ProgramFiles program={program} onEdit={onEdit} />
          {run?.status === "running" ? (
            <button type="button" className="btn code-run" onClick={onCancel}>
              Cancel
            </button>
          ) : (
            <button
              type="button"
              className="btn primary code-run"
              title={`Run (${runKey}+Enter)`}
              onClick={onRun}
            >
              Run
            </button>
          )}
          {action}
        </div>
      </div>
      <div className="code-progress" aria-live="polite">
        {run?.status === "running" ? (
          <ProgressBar label={textOf(run)} done={run.accesses} />
        ) : counting ? (
          <ProgressBar label={COUNTING} {...counting} />
        ) : null}
      </div>
      {program.waits === "reader" ? (
        <div className="code-compiler code-foreign">
          <p>
            <b>This code came with a link.</b> Read it, then run it.
          </p>
          {before === "" ? (
            <button type="button" className="btn primary" onClick={onRun}>
              Run it
            </button>
          ) : null}
        </div>
      ) : null}
      {build ? (
        <CompilerStrip
          // A press on “Run it” loads it.
          compiler={
            program.waits === "reader" && props.compiler?.status !== "loading"
              ? undefined
              : props.compiler
          }
          onLoad={props.onLoadCompiler}
          onCancel={props.onCancelCompiler}
        />
      ) : null}
      {build ? (
        <Sliders
          code={code}
          before={before}
          onCode={(to) => onEdit({ code: to })}
          // Code of a link runs only when its reader presses Run.
          onRun={program.waits === "reader" ? () => {} : onRun}
        />
      ) : null}
      <Editor
        language={languageOf(build)}
        heat={heat || undefined}
        at={isStale ? undefined : props.at}
        jump={jump}
        onLine={props.onLine}
        onCaret={setCaret}
        label={`${before}Code of the program`}
        value={program.code}
        // The result says the same of a trap, for screen readers too.
        problem={problem ?? trap}
        onChange={(code) => onEdit({ code })}
        onRun={onRun}
      />
      {lines ? (
        <LineStrip
          table={lines}
          slot={props.slot}
          by={by}
          line={caret}
          at={isStale ? undefined : props.at}
          before={before}
          isStale={isStale}
          onBy={setBy}
          onGoTo={props.onLine}
        />
      ) : counting ? (
        <p className="code-lines code-counting small t2" role="status">
          {COUNTING}
          {counting.total ? (
            <span className="num">
              {percentOf(counting.done, counting.total)}
            </span>
          ) : null}
        </p>
      ) : null}
      {hint === undefined || said.length > 0 ? null : (
        <p className="code-long t2" role="status">
          {hint}
        </p>
      )}
      <Diagnostics diagnostics={said} onJump={setJump} />
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

const COUNTING = "Counting misses by line";

/** What is being done, for screen readers. */
function textOf({
  accesses,
  step = { what: "running", accesses },
}: Extract<CodeProgram["run"], { status: "running" }>): string {
  return stepText(step);
}
