/** Each question of the exercise: how many answers are right, and which mistakes the others show. */
import type { QuestionCounts } from "../../engine/generated/QuestionCounts";
import { askName } from "../../model/exercise/kinds";
import { mistakeBars } from "../../model/exercise/report";
import type { MistakeWords } from "../../model/exercise/report";
import { percentOf } from "../../model/shared/format";

export interface MistakeListProps {
  readonly questions: readonly QuestionCounts[];
  /** The names of the page tables, the lowest level first. */
  readonly levels: readonly string[];
  readonly words: MistakeWords;
}

export function MistakeList({ questions, levels, words }: MistakeListProps) {
  return (
    <ol className="mistakes">
      {questions.map((question) => (
        <li key={question.question}>
          <h4>
            {askName(question.ask, levels)}
            <span className="t2">
              {question.right} of {question.answers} right,{" "}
              {percentOf(question.right, question.answers)}
            </span>
          </h4>
          <Bars question={question} words={words} />
        </li>
      ))}
    </ol>
  );
}

function Bars({
  question,
  words,
}: {
  readonly question: QuestionCounts;
  readonly words: MistakeWords;
}) {
  const bars = mistakeBars(question, words);
  if (bars.length === 0)
    return <p className="t2">No wrong answer to this question.</p>;
  return (
    <ul className="mistake-bars">
      {bars.map(({ text, mistake = "unexplained", n }) => (
        <li key={mistake}>
          <span className="mistake-n">{n}</span>
          <span className="mistake-bar" aria-hidden="true">
            <span style={{ width: `${(100 * n) / question.answers}%` }} />
          </span>
          <span className="mistake-text">
            {text} <span className="t2">{mistake}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
