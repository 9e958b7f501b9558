/** The first page of an exercise: what it is, and the name that chooses the numbers. */
import { useId, useRef } from "react";
import type { ExerciseView } from "../../engine/generated/ExerciseView";
import type { SayExercise } from "../../model/exercise/question";

export interface StudentStartProps {
  readonly say: SayExercise;
  /** Missing while it is read. */
  readonly view: ExerciseView | undefined;
  readonly name: string;
  /** The number of kept answers of this name. */
  readonly kept: number;
  readonly isOpening: boolean;
  readonly onName: (name: string) => void;
  readonly onBegin: () => void;
}

/** A name that is longer does not fit a table. */
const LONGEST_NAME = 80;

export function StudentStart(props: StudentStartProps) {
  const { say, view, name, kept, isOpening, onName, onBegin } = props;
  const field = useRef<HTMLInputElement>(null);
  const why = useId();
  if (!view) return <p role="status">{say("opening")}</p>;
  const isNamed = name.trim() !== "";
  const { asked, attempts, locked, machine, trace } = view;
  const isProgram = "code" in trace;
  return (
    <>
      <header className="learn-head">
        <p className="exercise-kind">{say("title")}</p>
        <h2>{view.title}</h2>
        <p>
          {say("about", { n: asked, machine: machine.name || view.cpu })}{" "}
          {say("how")}
        </p>
      </header>
      <ul className="exercise-rules">
        <li>
          {attempts === undefined
            ? say("attemptsFree")
            : say("attempts", { n: attempts })}
        </li>
        {locked.length > 0 ? <li>{say("lockedParts")}</li> : null}
        {isProgram ? <li>{say("programRuns")}</li> : null}
      </ul>
      <form
        className="exercise-name"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed && !isOpening) onBegin();
          else field.current?.focus();
        }}
      >
        <label>
          <span>{say("name")}</span>
          <input
            ref={field}
            className="field"
            value={name}
            maxLength={LONGEST_NAME}
            autoComplete="name"
            aria-describedby={why}
            readOnly={isOpening}
            onChange={({ target }) => onName(target.value)}
          />
        </label>
        <button
          type="submit"
          className="btn primary"
          aria-disabled={!isNamed || isOpening}
        >
          {kept > 0 ? say("goOn") : say("begin")}
        </button>
        <p id={why}>{say("nameWhy")}</p>
        <p role="status">
          {isOpening
            ? say("opening")
            : kept > 0
              ? say("kept", { n: kept })
              : ""}
        </p>
      </form>
    </>
  );
}
