import { fireEvent, render, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useKeys } from "../../../src/app/frame/useKeys";
import { startApp } from "../../state/app";

/** The focus is in `#here`. */
const PLACES = {
  "the walk": `<div role="listbox" id="here" tabindex="0"></div>`,
  "a table of sets": `<div role="grid" id="here" tabindex="0"></div>`,
  "a choice": `<select id="here"><option>a</option></select>`,
  "a speed": `<input type="radio" id="here" />`,
  "a text field": `<input id="here" />`,
  "an open list": `<div class="popover"><div role="listbox"><div role="option" id="here" tabindex="0"></div></div></div>`,
  "a dialog": `<div aria-modal="true"><button id="here">ok</button></div>`,
};

test.each([
  ["the walk", "w", "jumps"],
  ["a table of sets", "w", "jumps"],
  ["a choice", "w", "jumps"],
  ["a speed", "w", "jumps"],
  ["a text field", "w", "is left alone"],
  ["an open list", "w", "is left alone"],
  ["a dialog", "w", "is left alone"],
  ["the walk", "ArrowRight", "is left alone"],
  ["a choice", "ArrowRight", "is left alone"],
  ["a choice", " ", "is left alone"],
] as const)("with the focus in %s, the key %s %s", async (place, key, what) => {
  const app = await startApp({ access: 10 });
  const { container } = render(
    <div dangerouslySetInnerHTML={{ __html: PLACES[place] }} />,
  );
  renderHook(() =>
    useKeys({
      store: app.store,
      actions: app.actions,
      openDialog: vi.fn(),
      toggleEditor: vi.fn(),
      toggleTotals: vi.fn(),
    }),
  );
  const here = container.querySelector("#here");
  if (!here) throw new Error("It is not there.");
  const isFree = fireEvent.keyDown(here, { key });
  expect(isFree).toBe(what !== "jumps");
});
