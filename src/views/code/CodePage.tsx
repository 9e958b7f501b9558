/** Programs that the user writes: the code of each, and its last run. Two programs stand next to each other. */
import type { ReactNode } from "react";
import { count } from "../../model/shared/format";
import { isStale, programName, SCRIPT_LIMITS } from "../../model/code/code";
import { isOther } from "../../model/code/other";
import type {
  ProgramText,
  CodeHome,
  CodeProgram,
  ProgramSetup,
  ProgramShown,
  ProgramSlot,
  CodeState,
} from "../../model/code/code";
import { exceptionsText } from "../../model/code/exceptions";
import { machineLine } from "../../model/code/machineLine";
import { whatToSee } from "../../model/code/see";
import type { WhatToSee } from "../../model/code/see";
import type { CodeExample, CodePair } from "../../model/code/scriptExamples";
import { Icon } from "../shared/Icon";
import type { CodeLanguage } from "../../model/code/build";
import { lineAtCursor } from "../../model/code/lines";
import type { LineTable } from "../../model/code/lines";
import { CompareWith } from "./CompareWith";
import { ProgramHelp } from "./ProgramHelp";
import { MachineNote } from "./MachineNote";
import { See } from "./See";
import { ScriptHelp } from "./ScriptHelp";
import { ProgramNumbers } from "./ProgramNumbers";
import { ProgramOutcome } from "./ProgramOutcome";
import { ProgramPane } from "./ProgramPane";
import "./code.css";

export interface CodePageProps {
  readonly codeScreen: CodeState;
  /** The machine of the next run. */
  readonly setup: ProgramSetup | undefined;
  /** The machine that the texts of the examples are about. */
  readonly home: CodeHome | undefined;
  readonly examples: readonly CodeExample[];
  readonly pairs: readonly CodePair[];
  /** The modifier key of the run shortcut, before Enter. */
  readonly runKey: string;
  /** The counts of each program's last run by line. */
  readonly lines: readonly (LineTable | undefined)[];
  readonly onLanguage: (slot: ProgramSlot, language: CodeLanguage) => void;
  readonly onLoadCompiler: () => void;
  readonly onCancelCompiler: () => void;
  readonly onLine: (slot: ProgramSlot, line: number, direction: 1 | -1) => void;
  readonly onEdit: (slot: ProgramSlot, part: Partial<ProgramText>) => void;
  readonly onExample: (slot: ProgramSlot, example: CodeExample) => void;
  readonly onPair: (pair: CodePair) => void;
  readonly onRun: (slot: ProgramSlot) => void;
  readonly onCancel: (slot: ProgramSlot) => void;
  /** Adds an example, or without one the program that the first is usually compared with. */
  readonly onAdd: (example?: CodeExample) => void;
  readonly onRemove: () => void;
  /** Changes to the machine that the texts are about. */
  readonly onHome: () => void;
  /** Opens the accesses of a program in the replay. */
  readonly onOpen: (slot: ProgramSlot) => void;
  /** The pictures of a program. */
  readonly pictures: (slot: ProgramSlot) => ReactNode;
}

const BEFORE = ["First program: ", "Second program: "] as const;

export function CodePage(props: CodePageProps) {
  const { codeScreen, setup, home, pictures } = props;
  const [first, second] = codeScreen.programs;
  const isPair = second !== undefined;
  const both = isPair && first.shown && second.shown;
  const pairSees = both
    ? whatToSee([first.shown, second.shown], home)
    : undefined;
  const programs: readonly [ProgramSlot, CodeProgram][] = isPair
    ? [
        [0, first],
        [1, second],
      ]
    : [[0, first]];
  const exceptionsOf = (...of: readonly CodeProgram[]) => (
    <Exceptions programs={of} home={home} onHome={props.onHome} />
  );
  const hasExceptions = codeScreen.programs.some(
    ({ shown }) => shown && exceptionsText(shown) !== undefined,
  );
  const seeOf = (see: WhatToSee | undefined) =>
    // The sentence about exceptions has the same button.
    see &&
    (see.remedy !== "home" || !hasExceptions) && (
      <See
        see={see}
        home={home}
        onHome={props.onHome}
        onRestore={() => {
          if ("programs" in see.of) props.onPair(see.of);
          else props.onExample(0, see.of);
        }}
      />
    );
  const staleOf = (program: CodeProgram) =>
    isStale(program, setup) || isOther(program);
  const linked = codeScreen.programs.every(
    ({ packed }) => packed !== undefined,
  );
  // Both start with one press.
  const waiting = isPair ? programs.filter(([, each]) => needsRun(each)) : [];
  const help = codeScreen.programs.some(({ build }) => build) ? (
    <ProgramHelp linked={linked} />
  ) : (
    <ScriptHelp
      most={`${count(SCRIPT_LIMITS.accesses)} accesses, ${SCRIPT_LIMITS.seconds} seconds`}
      linked={linked}
    />
  );
  return (
    <div
      className="code-screen"
      data-testid="code"
      data-pair={isPair || undefined}
    >
      {programs.map(([slot, program]) => (
        <ProgramPane
          key={slot}
          program={program}
          before={isPair ? BEFORE[slot] : ""}
          slot={slot}
          examples={props.examples}
          pairs={props.pairs}
          runKey={props.runKey}
          action={slot === 1 ? <Close onClick={props.onRemove} /> : null}
          footer={isPair ? null : help}
          compiler={codeScreen.compiler}
          lines={props.lines[slot]}
          at={lineAtCursor(program)}
          onLanguage={(language) => props.onLanguage(slot, language)}
          onLoadCompiler={props.onLoadCompiler}
          onCancelCompiler={props.onCancelCompiler}
          onLine={(line, direction) => props.onLine(slot, line, direction)}
          onEdit={(part) => props.onEdit(slot, part)}
          onExample={(example) => props.onExample(slot, example)}
          onPair={props.onPair}
          onRun={() => props.onRun(slot)}
          onCancel={() => props.onCancel(slot)}
        />
      ))}
      {isPair ? (
        <section
          className="code-both"
          aria-label="Both programs"
          data-stale={programs.some(([, each]) => staleOf(each)) || undefined}
        >
          {both ? (
            <>
              {exceptionsOf(first, second)}
              <ProgramNumbers first={first.shown} second={second.shown} />
              {machinesOf(first.shown, second.shown).map(([slot, shown]) => (
                <MachineNote
                  key={slot}
                  shown={shown}
                  onOpen={() => props.onOpen(slot)}
                />
              ))}
              {pairSees && seeOf(pairSees)}
            </>
          ) : (
            <p className="code-see t2">
              The numbers of both programs stand here after they have run, with
              the ratio.
            </p>
          )}
          {waiting.length > 0 ? (
            <p className="code-see code-go">
              <button
                type="button"
                className="btn primary"
                onClick={() => waiting.forEach(([slot]) => props.onRun(slot))}
              >
                Run {namesOf(waiting)}
              </button>
            </p>
          ) : null}
        </section>
      ) : null}
      {programs.map(([slot, program]) => (
        <section
          key={slot}
          className="code-result"
          data-slot={slot}
          aria-label={`${isPair ? BEFORE[slot] : ""}Last run`}
        >
          <ProgramOutcome
            program={program}
            isCompared={isPair}
            isStale={staleOf(program)}
            see={
              isPair || !program.shown
                ? null
                : seeOf(whatToSee([program.shown], home))
            }
            exceptions={isPair ? null : exceptionsOf(program)}
            actions={
              isPair ? null : (
                <CompareWith
                  program={program}
                  examples={props.examples}
                  onAdd={props.onAdd}
                />
              )
            }
            onOpen={() => props.onOpen(slot)}
          >
            {pictures(slot)}
          </ProgramOutcome>
        </section>
      ))}
      {isPair ? help : null}
    </div>
  );
}

interface ExceptionsProps extends Pick<CodePageProps, "home" | "onHome"> {
  readonly programs: readonly CodeProgram[];
}

/** What exceptions mean, once for programs with the same, and the way to a machine without them. */
function Exceptions({ programs, home, onHome }: ExceptionsProps) {
  const runs = programs.flatMap(({ shown }) => (shown ? [shown] : []));
  const texts = runs.map(exceptionsText);
  const isSame = texts.every((text) => text === texts[0]);
  const said = (isSame ? texts.slice(0, 1) : texts).flatMap((text, at) =>
    text === undefined
      ? []
      : [isSame ? text : `“${runs[at]?.name ?? ""}”: ${text}`],
  );
  const isHome = runs.every(({ setup }) => setup.machine === home?.machine);
  if (said.length === 0) return null;
  return (
    <p className="code-see code-exceptions" role="status">
      {said.join(" ")}{" "}
      {home && !isHome ? (
        <button type="button" className="btn" onClick={onHome}>
          Run on {home.name}
        </button>
      ) : null}
    </p>
  );
}

/** The runs whose machines are shown: one of two with equal TLBs. */
function machinesOf(
  first: ProgramShown,
  second: ProgramShown,
): readonly (readonly [ProgramSlot, ProgramShown])[] {
  const textOf = (shown: ProgramShown) => {
    const { of, arrays, notes } = machineLine(shown);
    return [of, ...arrays, ...notes].join();
  };
  return textOf(first) === textOf(second)
    ? [[0, first]]
    : [
        [0, first],
        [1, second],
      ];
}

/** Whether a program has no pictures of its own, and will not run by itself. */
function needsRun(program: CodeProgram): boolean {
  const { shown, run, waits } = program;
  if (run?.status === "running" || waits === "screen") return false;
  return !shown || isOther(program);
}

/** `both`, or the name of the program that has not run. */
function namesOf(waiting: readonly (readonly [ProgramSlot, CodeProgram])[]) {
  const [first] = waiting;
  return waiting.length === 1 && first
    ? `“${programName(first[1].name)}”`
    : "both";
}

function Close({ onClick }: { readonly onClick: () => void }) {
  return (
    <button
      type="button"
      className="btn quiet icon"
      aria-label="End the comparison"
      title="End the comparison: the first program stays"
      onClick={onClick}
    >
      <Icon name="close" />
    </button>
  );
}
