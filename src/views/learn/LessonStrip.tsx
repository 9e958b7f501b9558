/** The words of a step: where it is in the lesson, its text, its question, and the buttons that go on. */
import type { ReactNode } from "react";
import type { Answered } from "../../model/learn/progress";
import type { SayLearn } from "../../model/learn/question";
import type { Language } from "../../model/texts/language";
import type { Part } from "../../model/replay/parts";
import { Icon } from "../shared/Icon";
import { LessonWords } from "./LessonWords";
import { StepMarks } from "../shared/StepMarks";

export interface LessonStripProps {
  readonly say: SayLearn;
  /** The lesson's number, from 1, and the number of lessons. */
  readonly number: number;
  readonly of: number;
  readonly lesson: string;
  /** `Short course: lesson 2 of 6`; missing for other lessons. */
  readonly course?: string | undefined;
  readonly step: number;
  readonly steps: number;
  readonly seen: readonly number[];
  readonly answers: Readonly<Record<number, Answered>>;
  /** The language of the lesson, if it is not that of the page. */
  readonly foreign: Language | undefined;
  readonly title: string;
  readonly paragraphs: readonly (readonly Part[])[];
  /** The answers that were right at once; empty before the first answer. */
  readonly score: string;
  /** The text of the button that goes on. */
  readonly next: string;
  /** Missing while the question waits for an answer. */
  readonly onNext: (() => void) | undefined;
  readonly onBack: (() => void) | undefined;
  readonly onStep: (step: number) => void;
  readonly onList: () => void;
  /** Opens the replay with what the lesson suggests to change. */
  readonly change: (() => void) | undefined;
  /** The question. */
  readonly children: ReactNode;
}

export function LessonStrip(props: LessonStripProps) {
  const { say, number, of, lesson, step, steps, title, paragraphs } = props;
  const { foreign, score, next, onNext, onBack, onStep, onList, change } =
    props;
  return (
    <section className="lesson-strip translated" aria-label={say("theLesson")}>
      <div className="lesson-where">
        <button type="button" className="lesson-list" onClick={onList}>
          {say("lessonOf", { at: number, n: of })}
        </button>
        <StepMarks
          names={Array.from({ length: steps }, (_, at) =>
            stepName(at + 1, props),
          )}
          at={step - 1}
          isSeen={(at) => props.seen.includes(at + 1)}
          onStep={(at) => onStep(at + 1)}
        />
        <span>{say("step", { at: step, n: steps })}</span>
      </div>
      <div className="lesson-text" aria-live="polite">
        {foreign === undefined ? null : (
          <p className="lesson-foreign">{say("onlyEnglish")}</p>
        )}
        <p className="lesson-name">
          <span lang={foreign}>{lesson}</span>
          {props.course === undefined ? null : <span>{props.course}</span>}
        </p>
        <h2 lang={foreign}>{title}</h2>
        {paragraphs.map((words, at) => (
          <p key={`${step} ${at}`} lang={foreign}>
            <LessonWords words={words} />
          </p>
        ))}
      </div>
      {props.children}
      {change ? (
        <button type="button" className="btn lesson-change" onClick={change}>
          {say("change")}
        </button>
      ) : null}
      <div className="lesson-buttons">
        <button
          type="button"
          className="btn"
          aria-disabled={onBack === undefined}
          onClick={() => onBack?.()}
        >
          {say("back")}
        </button>
        <span>{score}</span>
        <button
          type="button"
          className={onNext ? "btn primary" : "btn"}
          aria-disabled={onNext === undefined}
          title={onNext ? undefined : say("answerFirst")}
          onClick={() => onNext?.()}
        >
          {next} <Icon name="chevron-right" size={12} />
        </button>
      </div>
    </section>
  );
}

function stepName(at: number, { say, answers }: LessonStripProps): string {
  const answer = answers[at];
  if (!answer) return say("stepName", { at });
  return say("stepAnswered", {
    at,
    verdict: answer.right ? "right" : "wrong",
  });
}
