/** Below the lessons: to an exercise, and to the page that grades answers. */
import { use } from "react";
import { encodePermalink } from "../../model/permalink/permalink";
import { useSpoken } from "../language/spoken";
import { loadExercise } from "./texts";

export function ExerciseLinks() {
  const say = use(loadExercise(useSpoken().language));
  return (
    <p className="learn-exercises">
      <a href={`#${encodePermalink({ screen: "learn", exercise: "" })}`}>
        {say("wanted")}
      </a>
      <span aria-hidden="true"> · </span>
      <a href={`#${encodePermalink({ screen: "learn", grade: "" })}`}>
        {say("grade")}
      </a>
    </p>
  );
}
