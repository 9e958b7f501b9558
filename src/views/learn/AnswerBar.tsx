/** Below the picture: the answer that is about to run, and what the picture says about it. */
import type { SayLearn } from "../../model/learn/question";

export interface AnswerBarProps {
  readonly say: SayLearn;
  /** `set 5`; empty before the first choice. */
  readonly answer: string;
  readonly sentence: string;
  readonly onRun: () => void;
}

export function AnswerBar({ say, answer, sentence, onRun }: AnswerBarProps) {
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
      {/* On a phone, the question is above the picture. */}
      {answer === "" ? null : (
        <button type="button" className="btn primary" onClick={onRun}>
          {say("run")}
        </button>
      )}
    </div>
  );
}
