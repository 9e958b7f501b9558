/** Below the picture: the answer that is about to run, and what the picture says about it. */
import type { SayLearn } from "../../model/learn/question";

export interface AnswerBarProps {
  readonly say: SayLearn;
  /** `set 5`; empty before the first choice. */
  readonly answer: string;
  readonly sentence: string;
}

export function AnswerBar({ say, answer, sentence }: AnswerBarProps) {
  return (
    <div className="answer-bar">
      <p role="status">
        {answer === "" ? null : (
          <>
            <span>
              {say("yourAnswer")} <b>{answer}</b>
            </span>{" "}
            {sentence}
          </>
        )}
      </p>
    </div>
  );
}
