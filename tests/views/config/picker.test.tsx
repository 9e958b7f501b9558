import {
  cleanup,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { Picker } from "../../../src/views/config/Picker";
import { loadFloating } from "../../../src/views/shared/opener/Opener";

beforeAll(loadFloating);
afterEach(cleanup);

const SECTIONS = [
  {
    title: "Intel",
    choices: [
      { key: "hsw", text: "Haswell", note: "2 variants" },
      { key: "skl", text: "Skylake" },
      { key: "skl:off", text: "off", full: "Skylake, off", isVariant: true },
    ],
  },
  { choices: [{ key: "edit", text: "Edit…" }] },
];

interface Shown {
  readonly chosen: string[];
  readonly button: HTMLElement;
}

function show(): Shown {
  const chosen: string[] = [];
  render(
    <Picker
      label="CPU"
      text="Skylake"
      sections={SECTIONS}
      selected="skl"
      onSelect={(key) => chosen.push(key)}
    />,
  );
  return {
    chosen,
    button: screen.getByRole("button", { name: "CPU Skylake" }),
  };
}

const isClosed = () =>
  waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());

test("a_click_opens_the_list_and_marks_what_is_chosen", async () => {
  const { button } = show();
  expect(button.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(button);
  const list = await screen.findByRole("listbox", { name: "CPU" });
  const options = [...list.querySelectorAll("[role=option]")];
  expect(
    options.map((option) => [
      option.textContent,
      option.getAttribute("aria-selected"),
    ]),
  ).toEqual([
    ["Haswell2 variants", "false"],
    ["Skylake", "true"],
    ["off", "false"],
    ["Edit…", "false"],
  ]);
  await waitFor(() => expect(list.contains(document.activeElement)).toBe(true));
});

test.each([
  ["another one", "Haswell", "hsw"],
  ["the same again", "Skylake", "skl"],
  ["what stands for an action", "Edit", "edit"],
])("%s_is_announced_and_closes_the_list", async (_, word, key) => {
  const { chosen, button } = show();
  fireEvent.click(button);
  const list = await screen.findByRole("listbox");
  const option = [...list.querySelectorAll("[role=option]")].find((each) =>
    each.textContent.startsWith(word),
  );
  if (!option) throw new Error(`There is no “${word}”.`);
  fireEvent.click(option);
  await isClosed();
  expect(chosen).toEqual([key]);
});

test("arrows_open_it_enter_chooses_and_escape_changes_nothing", async () => {
  const { chosen, button } = show();
  button.focus();
  fireEvent.keyDown(button, { key: "ArrowDown" });
  const list = await screen.findByRole("listbox");
  await waitFor(() => expect(list.contains(document.activeElement)).toBe(true));
  press("Escape");
  await isClosed();
  expect(chosen).toEqual([]);
  await waitFor(() => expect(document.activeElement).toBe(button));
  fireEvent.keyDown(button, { key: "ArrowUp" });
  await screen.findByRole("listbox");
  await waitFor(() =>
    expect(document.activeElement?.textContent).toBe("Skylake"),
  );
  press("ArrowDown");
  press("Enter");
  await isClosed();
  expect(chosen).toEqual(["skl:off"]);
});

function press(key: string) {
  const at = document.activeElement;
  if (!at) throw new Error("Nothing has the focus.");
  fireEvent.keyDown(at, { key });
  fireEvent.keyUp(document.activeElement ?? at, { key });
}
