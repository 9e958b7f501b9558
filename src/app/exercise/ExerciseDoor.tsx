/** The way to an exercise that is a file, or a link in another window. */
import type { SayExercise } from "../../model/exercise/question";

export interface ExerciseDoorProps {
  readonly say: SayExercise;
  readonly onFile: (file: File) => void;
}

export function ExerciseDoor({ say, onFile }: ExerciseDoorProps) {
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
            // The same file can be chosen again.
            target.value = "";
            if (file) onFile(file);
          }}
        />
      </label>
    </section>
  );
}
