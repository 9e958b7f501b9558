/** A question that is answered before the machine moves: choices or a number, hints one by one, and the verdict. */
import { useEffect, useId, useRef } from "react";
import type { Graded } from "../../engine/generated/Graded";
import type { Posed } from "../../engine/generated/Posed";
import { SURE } from "../../model/learn/progress";
import type { Sure } from "../../model/learn/progress";
import type { Pressable } from "../../model/learn/pictureAnswer";
import type { SayLearn } from "../../model/learn/question";
import type { Language } from "../../model/texts/language";
import type { Part } from "../../model/replay/parts";
import { paragraph, spaceAfter } from "../../model/texts/messages";
import { Segmented } from "../shared/Segmented";
import { LessonWords } from "./LessonWords";

type Words = readonly Part[];

export interface QuestionBoxProps {
  readonly say: SayLearn;
  /** The language of the question and the hints, if it is not that of the page. */
  readonly foreign?: Language | undefined;
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
  readonly press?: Pressable | undefined;
  readonly problem: string | undefined;
  readonly onGive: (given: string) => void;
  readonly onSure: (sure: Sure) => void;
  readonly onHint: () => void;
  readonly onRun: () => void;
  /** Shows the answer; missing = only a right answer, or the last attempt, shows it. */
  readonly onReveal?: () => void;
}

export function QuestionBox(props: QuestionBoxProps) {
  const { say, question, hints, posed, given, sure, shownHints, done } = props;
  const { foreign, graded, verdict, problem, onSure, onHint, onRun, onReveal } =
    props;
  const title = useId();
  const judged = graded?.right
    ? say("right")
    : say("wrong", { given: say("choice", { choice: given }) });
  // An answer is judged once; the next one is another.
  const isRunnable =
    posed !== undefined && graded === undefined && given.trim() !== "";
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the box scrolls, and the verdict is its end.
    if (graded && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [graded]);
  return (
    <section
      ref={box}
      className="question"
      data-done={done || undefined}
      aria-labelledby={title}
    >
      <header>
        <h3>{say("question")}</h3>
        <span>{done || !posed ? "" : say("waits", { at: posed.at })}</span>
        {!done && shownHints < hints.length ? (
          <button type="button" className="question-hint" onClick={onHint}>
            {say("hint")}
          </button>
        ) : null}
      </header>
      <p id={title} className="question-text" lang={foreign}>
        {posed ? <LessonWords words={question} /> : "…"}
      </p>
      {hints.slice(0, shownHints).map((words, at) => (
        <p key={at} className="question-told">
          <b>{say("hinted")}</b>
          {spaceAfter(say("hinted"))}
          <span lang={foreign}>
            <LessonWords words={words} />
          </span>
        </p>
      ))}
      <Answer {...props} labelledBy={title} />
      <div className="question-run">
        {done ? null : (
          <>
            <span aria-hidden="true">{say("howSure")}</span>
            <Segmented<Sure | "">
              label={say("howSureAreYou")}
              choices={SURE.map((value) => ({ value, label: say(value) }))}
              value={sure ?? ""}
              onChange={(value) => {
                if (value !== "") onSure(value);
              }}
            />
            <button
              type="button"
              className="btn primary"
              aria-disabled={!isRunnable}
              title={graded && say("changeFirst")}
              onClick={() => {
                if (isRunnable) onRun();
              }}
            >
              {say("run")} <kbd>↵</kbd>
            </button>
          </>
        )}
      </div>
      {done || props.press === undefined ? null : (
        <p className="question-press">
          {say("press", { what: props.press })}{" "}
          <span>{say("fromSimulator")}</span>
        </p>
      )}
      <div aria-live="polite">
        {graded && verdict ? (
          <p className="question-verdict" data-right={graded.right}>
            <b>{judged}</b>
            {spaceAfter(judged)}
            <LessonWords words={verdict} />
          </p>
        ) : null}
        {done && graded && !graded.right ? (
          <p className="question-verdict" data-right>
            <LessonWords
              words={paragraph(
                say("answer", {
                  answer: say("choice", { choice: graded.answer }),
                }),
              )}
            />
          </p>
        ) : null}
        {problem === undefined ? null : (
          <p className="question-problem">
            {say("notPosed")}
            {spaceAfter(say("notPosed"))}
            <span lang="en">{problem}</span>
          </p>
        )}
      </div>
      {onReveal && graded && !graded.right && !done ? (
        <button type="button" className="question-hint" onClick={onReveal}>
          {say("reveal")}
        </button>
      ) : null}
    </section>
  );
}

/** The longest number has fewer characters, also in binary; a longer text would not fit an answer line. */
const LONGEST_ANSWER = 100;

function Answer(props: QuestionBoxProps & { readonly labelledBy: string }) {
  const { say, posed, given, graded, done, labelledBy } = props;
  const { onGive, onRun } = props;
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
            <span>{say("choice", { choice })}</span>
            <kbd aria-hidden="true">{at + 1}</kbd>
          </label>
        ))}
      </div>
    );
  return (
    <label className="question-number">
      <span>{say(form)}</span>
      <input
        className="input mono"
        value={given}
        maxLength={LONGEST_ANSWER}
        readOnly={done}
        aria-labelledby={labelledBy}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onGive(target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter" && !graded) onRun();
        }}
      />
    </label>
  );
}
