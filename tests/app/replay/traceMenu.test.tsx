import {
  cleanup,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { AppContext } from "../../../src/app/context";
import type { Dialog } from "../../../src/app/frame/useKeys";
import { TraceMenu } from "../../../src/app/replay/TraceMenu";
import { BUILT_IN_TRACES } from "../../../src/state/import/traces";
import { loadFloating } from "../../../src/views/shared/opener/Opener";
import { startApp } from "../../state/app";

beforeAll(loadFloating);
afterEach(cleanup);

async function show() {
  const { store, actions, state } = await startApp({ trace: "matmul24" });
  const dialogs: Dialog[] = [];
  render(
    <AppContext value={{ store, actions }}>
      <TraceMenu onDialog={(dialog) => dialogs.push(dialog)} />
    </AppContext>,
  );
  const name = `Trace: ${state().trace?.name ?? ""}`;
  const button = screen.getByRole("button", { name });
  // As by a keyboard: the arrow opens the list, which takes the focus.
  fireEvent.keyDown(button, { key: "ArrowDown" });
  const list = await screen.findByRole("listbox", { name: "Trace" });
  return { state, dialogs, list };
}

const options = () => screen.getAllByRole("option");

function choose(name: RegExp) {
  const option = options().find((each) => name.test(each.textContent));
  if (!option) throw new Error("There is no such option.");
  option.focus();
  fireEvent.keyDown(option, { key: "Enter" });
  fireEvent.keyUp(option, { key: "Enter" });
}

test("the_list_says_what_each_example_shows_and_marks_the_open_one", async () => {
  await show();
  expect(options()).toHaveLength(BUILT_IN_TRACES.length + 3);
  const shootdown = BUILT_IN_TRACES.findIndex(({ id }) => id === "shootdown");
  expect(options()[shootdown]?.textContent).toMatch(
    /^shootdown.*two processors/,
  );
  const marked = options().filter(
    (option) => option.getAttribute("aria-selected") === "true",
  );
  expect(marked.map((option) => option.textContent)).toEqual([
    expect.stringMatching(/^matmul 24/),
  ]);
});

test("an_example_opens", async () => {
  const { state } = await show();
  choose(/^chase/);
  await waitFor(() => expect(state().builtIn).toBe("chase"));
});

test("a_program_opens_its_screen", async () => {
  const { state } = await show();
  choose(/^A program/);
  await waitFor(() => expect(state().screen).toBe("code"));
});

test.each<[RegExp, Dialog]>([
  [/^Generate/, "generate"],
  [/^Open a file/, "import"],
])("%s_opens_a_dialog", async (name, dialog) => {
  const { dialogs } = await show();
  choose(name);
  await waitFor(() => expect(dialogs).toEqual([dialog]));
});
