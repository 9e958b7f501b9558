/** Beside the picture: where the student is in the exercise, the question, and the buttons that go on. */
import type { ReactNode } from "react";
import type { StudentAnswer } from "../../model/exercise/progress";
import type { SayExercise } from "../../model/exercise/question";
import { StepMarks } from "../shared/StepMarks";
import { Icon } from "../shared/Icon";
import { useHeading } from "./useHeading";

export interface ExerciseStripProps {
  readonly say: SayExercise;
  readonly title: string;
  readonly name: string;
  /** The question, from 0. */
  readonly at: number;
  readonly answers: readonly StudentAnswer[];
  /** `2 attempts left`; empty if any number is allowed, or the question is over. */
  readonly left: string;
  /** The text of the button that goes on. */
  readonly next: string;
  readonly isAnswered: boolean;
  readonly onNext: () => void;
  readonly onBack: (() => void) | undefined;
  readonly onQuestion: (at: number) => void;
  readonly onRename: () => void;
  readonly children: ReactNode;
}

export function ExerciseStrip(props: ExerciseStripProps) {
  const { say, title, name, at, answers, left, next, isAnswered } = props;
  const { onNext, onBack, onQuestion, onRename } = props;
  const heading = useHeading();
  return (
    <section className="lesson-strip translated" aria-label={say("title")}>
      <div className="lesson-where">
        <button type="button" className="lesson-list" onClick={onRename}>
          {say("rename", { name })}
        </button>
        <StepMarks
          label={say("questions")}
          names={answers.map((answer, question) =>
            stepName(say, question, answer),
          )}
          at={at}
          isSeen={(question) => (answers[question]?.tries ?? 0) > 0}
          onStep={onQuestion}
        />
        <span>{say("where", { at: at + 1, n: answers.length })}</span>
      </div>
      <div className="lesson-text">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
      </div>
      {props.children}
      <div className="lesson-buttons">
        <button
          type="button"
          className="btn"
          aria-disabled={onBack === undefined}
          onClick={() => onBack?.()}
        >
          {say("back")}
        </button>
        <span role="status">{left}</span>
        <button
          type="button"
          className={isAnswered ? "btn primary" : "btn"}
          onClick={onNext}
        >
          {next} <Icon name="chevron-right" size={12} />
        </button>
      </div>
    </section>
  );
}

function stepName(say: SayExercise, at: number, answer: StudentAnswer): string {
  const of = { at: at + 1 };
  if (answer.right) return say("stepRight", of);
  return answer.tries > 0 ? say("stepWrong", of) : say("stepName", of);
}
