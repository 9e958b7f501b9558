import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { AppContext } from "../../../src/app/context";
import { ScreenMenu, ScreenNav } from "../../../src/app/frame/ScreenNav";
import type { Screen } from "../../../src/model/permalink/permalink";
import { loadFloating } from "../../../src/views/shared/opener/Opener";
import { createApp } from "../../state/app";

beforeAll(loadFloating);
afterEach(cleanup);

function show(on: Screen, what: React.ReactNode) {
  const { store, actions } = createApp();
  store.setState({ screen: on });
  render(<AppContext value={{ store, actions }}>{what}</AppContext>);
}

const texts = (within: Element | null) =>
  [...(within?.children ?? [])].map(
    (each) =>
      `${each.textContent}${each.getAttribute("aria-current") === null ? "" : ` = ${each.getAttribute("aria-current")}`}`,
  );

test.each<[Screen, string[]]>([
  ["replay", ["Learn", "Replay = page", "Code", "What-if", "Compare", "More"]],
  ["code", ["Learn", "Replay", "Code = page", "What-if", "Compare", "More"]],
  [
    "samples",
    ["Learn", "Replay", "Code", "What-if", "Compare", "More: Samples = true"],
  ],
])("the_row_marks_%s", (on, expected) => {
  show(on, <ScreenNav />);
  expect(texts(screen.getByRole("navigation"))).toEqual(expected);
});

test("more_opens_the_other_screens_and_marks_the_current_one", async () => {
  show("measured", <ScreenNav />);
  const more = screen.getByRole("button", { name: "More: Measured" });
  fireEvent.click(more);
  const menu = await screen.findByRole("dialog", { name: "More screens" });
  expect(texts(menu)).toEqual([
    "Experiments",
    "Samples",
    "Measured = page",
    "Measure",
    "Glossary",
  ]);
});

test("a_phone_has_one_menu_with_all_screens_and_what_its_owner_adds", async () => {
  show(
    "replay",
    <ScreenMenu more={() => <button type="button">Keys</button>} />,
  );
  fireEvent.click(screen.getByRole("button", { name: "Menu: Replay" }));
  const menu = await screen.findByRole("dialog", { name: "Screens" });
  expect(texts(menu)).toHaveLength(11);
  expect(texts(menu).slice(0, 2)).toEqual(["Learn", "Replay = page"]);
  expect(texts(menu).at(-1)).toBe("Keys");
});
