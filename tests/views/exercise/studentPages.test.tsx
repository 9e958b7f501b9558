/** The pages of a student: the focus goes along, and the button with the name says what it does. */
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { loadExercise } from "../../../src/app/exercise/texts";
import { NO_ANSWER } from "../../../src/model/exercise/progress";
import { ExerciseStrip } from "../../../src/views/exercise/ExerciseStrip";
import { StudentEnd } from "../../../src/views/exercise/StudentEnd";
import { UnreadLines } from "../../../src/views/exercise/UnreadLines";

afterEach(cleanup);

const nothing = () => undefined;
const focused = () => document.activeElement?.textContent;

test("the_strip_has_the_focus_and_a_button_for_another_name", async () => {
  render(
    <ExerciseStrip
      say={await loadExercise("en")}
      title="Sets"
      name="Ada Lovelace"
      at={0}
      answers={[NO_ANSWER]}
      left=""
      next="Finish"
      isAnswered={false}
      onNext={nothing}
      onBack={undefined}
      onQuestion={nothing}
      onRename={nothing}
    >
      {null}
    </ExerciseStrip>,
  );
  expect(focused()).toBe("Sets");
  const name = "Ada Lovelace: another name";
  expect(screen.getByRole("button", { name })).toBeDefined();
});

test("the_end_has_the_focus", async () => {
  render(
    <StudentEnd
      say={await loadExercise("en")}
      title="Sets"
      name="Ada"
      answers={[NO_ANSWER]}
      questions={["Which set?"]}
      line="PW1.x"
      lessons="#"
      onQuestion={nothing}
      onRename={nothing}
    />,
  );
  expect(focused()).toBe("Your answers");
});

test("a_line_that_was_pasted_twice_is_listed_twice", () => {
  const error = { code: "bad-trace" as const, message: "cut" };
  const line = { file: "pasted", line: 1, start: "PW1", error };
  render(<UnreadLines lines={[line, line]} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
});
