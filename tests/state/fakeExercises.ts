/** A browser that remembers a student's answers. */
import type { ExerciseService } from "../../src/state/exercise/service";

export interface FakeExercises extends ExerciseService {
  readonly answers: Map<string, string>;
}

export function fakeExercises(): FakeExercises {
  const answers = new Map<string, string>();
  let last = "";
  return {
    answers,
    kept: (key) => answers.get(key),
    keep: (key, text) => answers.set(key, text),
    lastName: () => last,
    keepName: (name) => (last = name),
  };
}
