import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ExerciseDoor } from "../../../src/app/exercise/ExerciseDoor";
import { loadExercise } from "../../../src/app/exercise/texts";

afterEach(cleanup);

test("the_same_file_can_be_chosen_again", async () => {
  const onFile = vi.fn();
  const say = await loadExercise("en");
  render(<ExerciseDoor say={say} onFile={onFile} />);
  const input = screen.getByLabelText<HTMLInputElement>("Choose a file");
  const set = vi.fn();
  Object.defineProperty(input, "value", { set, get: () => "" });
  const file = new File(["{}"], "sets.exercise.json");
  fireEvent.change(input, { target: { files: [file] } });
  expect(onFile).toHaveBeenCalledWith(file);
  expect(set).toHaveBeenCalledWith("");
});
