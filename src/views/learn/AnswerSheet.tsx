/** The answers of a printed lesson, on a page of their own. */
import type { SayLearn } from "../../model/learn/question";
import type { Part } from "../../model/replay/parts";
import { LessonWords } from "./LessonWords";

export interface AnswerSheetProps {
  readonly say: SayLearn;
  readonly title: string;
  readonly questions: readonly {
    readonly step: number;
    readonly question: readonly Part[];
    /** Empty if `right` begins with it. */
    readonly answer: string;
    /** What to see now. */
    readonly right: readonly Part[];
  }[];
}

export function AnswerSheet({ say, title, questions }: AnswerSheetProps) {
  return (
    <section className="answer-sheet">
      <h2>{say("answersTo", { title })}</h2>
      <p>{say("computed")}</p>
      <ol>
        {questions.map(({ step, question, answer, right }) => (
          <li key={step} value={step}>
            <p>
              <LessonWords words={question} />
            </p>
            <p>
              {answer === "" ? null : (
                <>
                  <code>{answer}</code>{" "}
                </>
              )}
              <LessonWords words={right} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
