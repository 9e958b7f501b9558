/** The last page of an exercise: the score, and the line to hand in. */
import { useId, useRef, useState } from "react";
import { answerFileName } from "../../model/exercise/file";
import type { StudentAnswer } from "../../model/exercise/progress";
import type { SayExercise } from "../../model/exercise/question";
import { saveFile } from "../shared/picture/saveFile";
import { useHeading } from "./useHeading";

export interface StudentEndProps {
  readonly say: SayExercise;
  readonly title: string;
  readonly name: string;
  readonly answers: readonly StudentAnswer[];
  /** The text of each question. */
  readonly questions: readonly string[];
  readonly line: string;
  readonly lessons: string;
  readonly onQuestion: (at: number) => void;
  readonly onRename: () => void;
}

export function StudentEnd(props: StudentEndProps) {
  const { say, title, name, answers, questions, line, lessons } = props;
  const { onQuestion, onRename } = props;
  const [message, setMessage] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  const heading = useId();
  const result = useHeading();
  const right = answers.filter((answer) => answer.right).length;
  const open = answers.filter(({ tries }) => tries === 0).length;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line);
      setMessage(say("copied"));
    } catch {
      box.current?.select();
      setMessage(say("notCopied"));
    }
  };
  const save = () => {
    const file = answerFileName(name);
    saveFile(new Blob([`${line}\n`], { type: "text/plain" }), file);
    setMessage(say("saved", { file }));
  };
  return (
    <>
      <header className="learn-head">
        <p className="exercise-kind">
          {title} · {name}
        </p>
        <h2 ref={result} tabIndex={-1}>
          {say("resultTitle")}
        </h2>
        <p className="exercise-score">
          <b>{say("score", { right, n: answers.length })}</b>{" "}
          {open > 0 ? say("open", { n: open }) : ""}
        </p>
      </header>
      <ol className="exercise-results">
        {answers.map((answer, at) => (
          <li key={at}>
            <button
              type="button"
              className="exercise-result"
              onClick={() => onQuestion(at)}
            >
              {questions[at] ?? ""}
            </button>
            <span>
              {answer.given === "" ? null : <code>{answer.given}</code>}
              <b>{say(markOf(answer))}</b>
              {answer.tries === 0 ? null : (
                <>
                  {" "}
                  {say("triesMark", { n: answer.tries })} ·{" "}
                  {say("secondsMark", { n: answer.seconds })}
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      <section className="exercise-line" aria-labelledby={heading}>
        <h3 id={heading}>{say("lineTitle")}</h3>
        <p>{say("lineWhy")}</p>
        <textarea
          ref={box}
          className="field mono"
          readOnly
          rows={4}
          aria-labelledby={heading}
          value={line}
          onFocus={({ target }) => target.select()}
        />
        <div className="exercise-buttons">
          <button
            type="button"
            className="btn primary"
            onClick={() => void copy()}
          >
            {say("copy")}
          </button>
          <button type="button" className="btn" onClick={save}>
            {say("save")}
          </button>
          <span role="status">{message}</span>
        </div>
      </section>
      <footer className="exercise-buttons">
        <button type="button" className="btn" onClick={() => onQuestion(0)}>
          {say("again")}
        </button>
        <button type="button" className="btn quiet" onClick={onRename}>
          {say("asOther")}
        </button>
        <a className="btn quiet" href={lessons}>
          {say("lessons")}
        </a>
      </footer>
    </>
  );
}

function markOf({ right, tries }: StudentAnswer) {
  if (tries === 0) return "openMark";
  return right ? "rightMark" : "wrongMark";
}
