/** The last run of a program that ended well: its name, its numbers and its pictures. */
import type { ReactNode } from "react";
import { count, counted, memorySize } from "../../model/shared/format";
import { programName } from "../../model/code/code";
import { runWarnings } from "../../model/code/warnings";
import type {
  CodeResult,
  ProgramArray,
  ProgramShown,
  CodeProgram,
} from "../../model/code/code";
import { MachineNote } from "./MachineNote";
import { ProgramNumbers } from "./ProgramNumbers";
import { RunNote } from "./RunNote";
import "./outcome.css";

export interface ProgramOutcomeProps {
  readonly program: CodeProgram;
  /** The numbers stand in the table of both programs. */
  readonly isCompared: boolean;
  /** Whether the pictures wait for another run. */
  readonly isStale: boolean;
  /** What to see, if the program is an example. */
  readonly see: ReactNode;
  /** What to say first about exceptions. */
  readonly exceptions: ReactNode;
  /** Buttons at the right end. */
  readonly actions: ReactNode;
  readonly onOpen: () => void;
  /** The pictures. */
  readonly children: ReactNode;
}

export function ProgramOutcome(props: ProgramOutcomeProps) {
  const { program, isCompared, isStale, see, exceptions, actions, onOpen } =
    props;
  const { shown } = program;
  return (
    <>
      <div className="code-outcome">
        <div className="code-outcome-words">
          {shown ? (
            <p>
              <b className="code-title">{shown.name}</b>{" "}
              <span className="t2">
                {counted(shown.result.accesses, "access", "accesses")}
                {fetchesOf(shown)}
                {endOf(shown.result)}
              </span>
            </p>
          ) : (
            <p>
              <b className="code-title">{programName(program.name)}</b>
            </p>
          )}
          <RunNote program={program} />
        </div>
        {actions}
        {shown ? (
          <button type="button" className="btn" onClick={onOpen}>
            Open in replay
          </button>
        ) : null}
      </div>
      <div className="code-body" data-stale={isStale || undefined}>
        {exceptions}
        {shown?.result.compiled?.trap ? (
          <p className="code-see code-trap" role="alert">
            {shown.result.compiled.trap.line === undefined ? null : (
              <b>Line {shown.result.compiled.trap.line}</b>
            )}{" "}
            {shown.result.compiled.trap.message} Its accesses until then are
            shown.
          </p>
        ) : null}
        {(shown?.result.compiled?.notes ?? []).map((text) => (
          <p key={text} className="code-see code-trap">
            {text}
          </p>
        ))}
        {(shown ? runWarnings(shown) : []).map((text) => (
          <p key={text} className="code-see t2">
            {text}.
          </p>
        ))}
        {see}
        {shown && !isCompared ? (
          <>
            <ProgramNumbers first={shown} />
            <MachineNote shown={shown} onOpen={onOpen} />
          </>
        ) : null}
        {shown && shown.result.log.length > 0 ? (
          <pre className="code-log" aria-label="Output of the program">
            {shown.result.log.join("\n")}
          </pre>
        ) : null}
        {props.children}
        {shown && shown.result.arrays.length > 0 ? (
          <ul className="code-arrays small t2">
            {shown.result.arrays.map((array) => (
              <li key={array.start}>
                <b>{array.name}</b> {sizeOf(array)}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </>
  );
}

/** The accesses of a trace with estimated fetches are more than those of the program. */
function fetchesOf({ build, trace, result }: ProgramShown): string {
  const n = trace.n_accesses - result.accesses;
  if (!build?.fetches || n <= 0) return "";
  return ` and ${counted(n, "estimated fetch", "estimated fetches")}`;
}

/** ` to 2 arrays`, or the exit status of a compiled program. */
function endOf({ arrays, compiled }: CodeResult): string {
  if (!compiled) return ` to ${counted(arrays.length, "array")}`;
  return compiled.trap ? "" : `, exit status ${compiled.status}`;
}

function sizeOf({ length, size }: ProgramArray): string {
  return `${count(length)} × ${size} B = ${memorySize(length * size)}`;
}
