/** An exercise on the screen Learn: for a student, or for the teacher who grades its answers. */
import { lazy } from "react";
import type { ExerciseState } from "../../state/exercise/state";
import { Student } from "./Student";
import "../../views/learn/learn.css";
import "../../views/learn/question.css";
import "../../views/learn/picture.css";
import "../../views/learn/lit.css";
import "../../views/exercise/exercise.css";

const Teacher = lazy(() =>
  import("./Teacher").then((module) => ({ default: module.Teacher })),
);

export function ExerciseScreen({
  exercise,
}: {
  readonly exercise: ExerciseState;
}) {
  return exercise.role === "student" ? (
    <Student student={exercise} />
  ) : (
    <Teacher teacher={exercise} />
  );
}
