/** Below the picture: the answer that is about to run, and what the picture says about it. */
export interface AnswerBarProps {
  /** `set 5`; empty before the first choice. */
  readonly answer: string;
  readonly sentence: string;
  readonly onRun: () => void;
}

export function AnswerBar({ answer, sentence, onRun }: AnswerBarProps) {
  return (
    <div className="answer-bar">
      <p role="status">
        {answer === "" ? null : (
          <>
            <span>
              your answer: <b>{answer}</b>
            </span>{" "}
            {sentence}
          </>
        )}
      </p>
      {/* On a phone, the question is above the picture. */}
      {answer === "" ? null : (
        <button type="button" className="btn primary" onClick={onRun}>
          Run it
        </button>
      )}
    </div>
  );
}
