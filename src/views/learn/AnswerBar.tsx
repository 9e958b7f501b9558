/** Below the picture: the answer that is about to run, and what the picture says about it. */
export interface AnswerBarProps {
  /** `set 5`; empty before the first choice. */
  readonly answer: string;
  readonly sentence: string;
}

export function AnswerBar({ answer, sentence }: AnswerBarProps) {
  return (
    <p className="answer-bar" role="status">
      {answer === "" ? null : (
        <>
          <span>
            your answer: <b>{answer}</b>
          </span>{" "}
          {sentence}
        </>
      )}
    </p>
  );
}
