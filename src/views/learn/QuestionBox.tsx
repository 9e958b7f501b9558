/** A question that is answered before the machine moves: choices or a number, hints one by one, and the verdict. */
import { useId } from "react";
import type { Graded } from "../../engine/generated/Graded";
import type { Posed } from "../../engine/generated/Posed";
import { SURE } from "../../model/learn/progress";
import type { Sure } from "../../model/learn/progress";
import { count } from "../../model/shared/format";
import type { Part } from "../../model/replay/parts";
import { Segmented } from "../shared/Segmented";
import { LessonWords } from "./LessonWords";

type Words = readonly Part[];

export interface QuestionBoxProps {
  readonly question: Words;
  readonly hints: readonly Words[];
  /** Missing while the simulator poses it. */
  readonly posed: Posed | undefined;
  readonly given: string;
  readonly sure: Sure | undefined;
  readonly shownHints: number;
  /** The verdict on the last answer. */
  readonly graded: Graded | undefined;
  readonly verdict: Words | undefined;
  /** Whether the access has run. */
  readonly done: boolean;
  /** What one may press in the picture; missing if it does not show the answer. */
  readonly press?: string | undefined;
  readonly problem: string | undefined;
  readonly onGive: (given: string) => void;
  readonly onSure: (sure: Sure) => void;
  readonly onHint: () => void;
  readonly onRun: () => void;
  /** Shows the answer. */
  readonly onReveal: () => void;
}

export function QuestionBox(props: QuestionBoxProps) {
  const { question, hints, posed, given, sure, shownHints, done } = props;
  const { graded, verdict, problem, onSure, onHint, onRun, onReveal } = props;
  const title = useId();
  const isRunnable = posed !== undefined && !done && given.trim() !== "";
  return (
    <section className="question" aria-labelledby={title}>
      <header>
        <h3>Question</h3>
        <span>
          {done || !posed ? "" : `the machine waits at ${count(posed.at)}`}
        </span>
        {!done && shownHints < hints.length ? (
          <button type="button" className="question-hint" onClick={onHint}>
            hint
          </button>
        ) : null}
      </header>
      <p id={title} className="question-text">
        {posed ? <LessonWords words={question} /> : "…"}
      </p>
      {hints.slice(0, shownHints).map((words, at) => (
        <p key={at} className="question-told">
          <b>Hint:</b> <LessonWords words={words} />
        </p>
      ))}
      <Answer {...props} labelledBy={title} />
      <div className="question-run">
        {done ? null : (
          <>
            <span aria-hidden="true">How sure?</span>
            <Segmented<Sure | "">
              label="How sure are you?"
              choices={SURE.map((value) => ({ value, label: value }))}
              value={sure ?? ""}
              onChange={(value) => {
                if (value !== "") onSure(value);
              }}
            />
            <button
              type="button"
              className="btn primary"
              aria-disabled={!isRunnable}
              onClick={() => {
                if (isRunnable) onRun();
              }}
            >
              Run it <kbd>↵</kbd>
            </button>
          </>
        )}
      </div>
      {done || props.press === undefined ? null : (
        <p className="question-press">
          {props.press} The answer comes from the simulator, not from an answer
          sheet.
        </p>
      )}
      <div aria-live="polite">
        {graded && verdict ? (
          <p className="question-verdict" data-right={graded.right}>
            <b>{graded.right ? "Right." : `${given}: not so.`}</b>{" "}
            <LessonWords words={verdict} />
          </p>
        ) : null}
        {done && graded && !graded.right ? (
          <p className="question-verdict" data-right>
            The answer is <code>{graded.answer}</code>.
          </p>
        ) : null}
        {problem === undefined ? null : (
          <p className="question-problem">
            The simulator cannot pose this question: {problem}
          </p>
        )}
      </div>
      {graded && !graded.right && !done ? (
        <button type="button" className="question-hint" onClick={onReveal}>
          Show the answer
        </button>
      ) : null}
    </section>
  );
}

function Answer(props: QuestionBoxProps & { readonly labelledBy: string }) {
  const { posed, given, graded, done, labelledBy, onGive, onRun } = props;
  const name = useId();
  if (!posed) return null;
  const { form, choices } = posed;
  if (form === "choice")
    return (
      <div
        className="question-choices"
        role="radiogroup"
        aria-labelledby={labelledBy}
        data-short={choices.every(({ length }) => length < 3) || undefined}
      >
        {choices.map((choice, at) => (
          <label
            key={choice}
            data-answer={(done && graded?.answer === choice) || undefined}
          >
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === given}
              disabled={done}
              onChange={() => onGive(choice)}
            />
            <span>{choice}</span>
            <kbd aria-hidden="true">{at + 1}</kbd>
          </label>
        ))}
      </div>
    );
  return (
    <label className="question-number">
      <span>
        {form === "decimal" ? "A decimal number" : "A hexadecimal number"}
      </span>
      <input
        className="input mono"
        value={given}
        readOnly={done}
        aria-labelledby={labelledBy}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onGive(target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter") onRun();
        }}
      />
    </label>
  );
}
