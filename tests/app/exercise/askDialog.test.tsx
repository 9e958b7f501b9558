/** “Ask about this” with a fake engine: what may be handed out, and the names for sheets. */
import {
  cleanup,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, expect, test } from "vitest";
import { AppContext } from "../../../src/app/context";
import { AskDialog } from "../../../src/app/exercise/AskDialog";
import { MOST_SHEETS } from "../../../src/model/exercise/sheet";
import { startApp } from "../../state/app";

afterEach(cleanup);

async function show() {
  const app = await startApp({ trace: "chase" });
  const { store, actions } = app;
  render(
    <AppContext value={{ store, actions }}>
      <Suspense>
        <AskDialog onClose={() => undefined} />
      </Suspense>
    </AppContext>,
  );
  await screen.findByRole("button", { name: "Copy link" }, { timeout: 4000 });
  const [, side = app.sideEngines[0]] = app.sideEngines;
  if (!side) throw new Error("The exercise has an engine.");
  return { ...app, side };
}

const title = () => screen.getByLabelText("Title");
const names = () => screen.getByLabelText<HTMLTextAreaElement>(/^Names/);
const isOff = (element: HTMLElement) =>
  element.getAttribute("aria-disabled") === "true";

test("an_exercise_that_is_not_that_of_the_form_cannot_be_handed_out", async () => {
  const { side } = await show();
  const copy = screen.getByRole("button", { name: "Copy link" });
  const open = screen.getByRole("link", { name: "Open as a student" });
  await waitFor(() => expect(isOff(copy)).toBe(false));
  expect(open.getAttribute("href")).toContain("exercise=");
  side.failNext("exerciseQuestions", "bad-config");
  fireEvent.change(title(), { target: { value: "Other" } });
  await screen.findByRole("alert");
  for (const name of [
    "Copy link",
    "Save file",
    "Print sheets",
    "Print answers",
  ])
    expect(isOff(screen.getByRole("button", { name }))).toBe(true);
  for (const name of ["Open as a student", "Grade answers"])
    expect(screen.getByRole("link", { name }).hasAttribute("href")).toBe(false);
  // The next change that can be made is handed out again.
  fireEvent.change(title(), { target: { value: "Third" } });
  await waitFor(() =>
    expect(isOff(screen.getByRole("button", { name: "Copy link" }))).toBe(
      false,
    ),
  );
});

test("names_stay_when_the_exercise_changes_and_too_many_are_said", async () => {
  await show();
  const link = () =>
    screen.getByRole("link", { name: "Grade answers" }).getAttribute("href");
  const before = link();
  const all = Array.from({ length: MOST_SHEETS + 5 }, (_, at) => `S${at}`);
  fireEvent.change(names(), { target: { value: all.join("\n") } });
  expect(screen.getByText(/^These are 305 names\./)).toBeDefined();
  fireEvent.change(title(), { target: { value: "Other" } });
  await waitFor(() => {
    expect(link()).not.toBe(null);
    expect(link()).not.toBe(before);
  });
  expect(names().value).toBe(all.join("\n"));
});

test("the_number_of_accesses_can_be_emptied_and_typed_again", async () => {
  await show();
  fireEvent.change(screen.getByLabelText("About which accesses"), {
    target: { value: "walks" },
  });
  const field = () => screen.getByRole<HTMLInputElement>("spinbutton");
  fireEvent.change(field(), { target: { value: "" } });
  expect(field().value).toBe("");
  expect(screen.getByText(/^Write a whole number of accesses/)).toBeDefined();
  fireEvent.change(field(), { target: { value: "12" } });
  expect(field().value).toBe("12");
  expect(screen.queryByText(/^Write a whole number/)).toBe(null);
});
