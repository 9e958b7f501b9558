/** The way to an exercise that is a file, or a link in another window. */
import type { SayExercise } from "../../model/exercise/question";

export interface ExerciseDoorProps {
  readonly say: SayExercise;
  /** The text of the file. */
  readonly onText: (text: string) => void;
}

export function ExerciseDoor({ say, onText }: ExerciseDoorProps) {
  return (
    <section className="exercise-door">
      <h2>{say("wanted")}</h2>
      <p>{say("wantedWhy")}</p>
      <label className="btn primary exercise-file">
        {say("choose")}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void file.text().then(onText);
          }}
        />
      </label>
    </section>
  );
}
