/** A question on paper: choices to tick, or a line to write on. */
import type { Posed } from "../../engine/generated/Posed";
import type { SayLearn } from "../../model/learn/question";
import type { Part } from "../../model/replay/parts";
import { LessonWords } from "./LessonWords";

export interface PrintedQuestionProps {
  readonly say: SayLearn;
  readonly posed: Posed;
  readonly question: readonly Part[];
}

export function PrintedQuestion(props: PrintedQuestionProps) {
  const { say, posed, question } = props;
  const { form, choices } = posed;
  return (
    <div className="printed-question">
      <p>
        <b>{say("question")}:</b> <LessonWords words={question} />
      </p>
      {form === "choice" ? (
        <ul>
          {choices.map((choice) => (
            <li key={choice}>{say("choice", { choice })}</li>
          ))}
        </ul>
      ) : (
        <p className="printed-line">{say(form)}:</p>
      )}
    </div>
  );
}
