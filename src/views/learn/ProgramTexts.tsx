/** The programs of a lesson, next to each other, and what they count. */
import type { ReactNode } from "react";
import type { SayLearn } from "../../model/learn/question";
import type { ProgramText } from "../../model/code/code";
import { withSize } from "../../model/learn/whole";
import { count } from "../../model/shared/format";
import type { Language } from "../../model/texts/language";
import { Segmented } from "../shared/Segmented";

export interface ProgramTextsProps {
  readonly say: SayLearn;
  readonly language: Language;
  readonly programs: readonly ProgramText[];
  /** The sizes to choose from, and the chosen one; none if the programs have no common size. */
  readonly sizes: readonly number[];
  readonly size: number | undefined;
  readonly isRunning: boolean;
  /** What the programs counted. */
  readonly children: ReactNode;
  readonly problem: string | undefined;
  readonly onRun: (size: number | undefined) => void;
  /** Opens them on the screen Code, where they run and can be changed. */
  readonly onOpen: () => void;
}

export function ProgramTexts(props: ProgramTextsProps) {
  const { say, language, programs, sizes, size, problem } = props;
  const { isRunning, children, onRun, onOpen } = props;
  const chosen = size ?? sizes.at(-1);
  return (
    <section
      className="lesson-loops"
      lang={language}
      aria-label={say("programs")}
    >
      {programs.map(({ name, code }) => (
        <figure key={name} lang="en">
          <figcaption>{name}</figcaption>
          <pre>
            {withoutComments(
              chosen === undefined
                ? code
                : withSize({ name, code }, chosen).code,
            )}
          </pre>
        </figure>
      ))}
      <div className="lesson-loops-run">
        {sizes.length > 0 ? (
          <Segmented
            label="n"
            choices={sizes.map((n) => ({ value: String(n), label: count(n) }))}
            value={String(chosen)}
            onChange={(n) => onRun(Number(n))}
          />
        ) : null}
        <button
          type="button"
          className="btn primary"
          aria-disabled={isRunning}
          onClick={() => {
            if (!isRunning) onRun(chosen);
          }}
        >
          {say("runBoth", { n: programs.length })}
        </button>
        <button type="button" className="btn" onClick={onOpen}>
          {say("runPrograms")}
        </button>
      </div>
      <div className="lesson-loops-numbers" role="status" lang="en">
        {problem}
        {isRunning ? say("running") : null}
        {children}
      </div>
    </section>
  );
}

/** The text of the lesson says what the comments of an example do. */
function withoutComments(code: string): string {
  return code.replaceAll(/^\/\/.*\n/gm, "").trim();
}
