import {
  cleanup,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  FloatingDialog,
  Opener,
  loadFloating,
} from "../../../src/views/shared/opener/Opener";

beforeAll(loadFloating);
afterEach(cleanup);

function show() {
  const opened = vi.fn();
  render(
    <Opener opens="dialog" className="btn" face="Memory" onOpen={opened}>
      {(floating) => (
        <FloatingDialog {...floating} label="Mapping" className="form">
          {({ close }) => (
            <button type="button" onClick={close}>
              Done
            </button>
          )}
        </FloatingDialog>
      )}
    </Opener>,
  );
  return { opened, button: screen.getByRole("button", { name: "Memory" }) };
}

const isClosed = (button: HTMLElement) =>
  waitFor(() => {
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(button.getAttribute("aria-expanded")).toBe("false");
  });

test("it_opens_says_so_and_is_closed_from_within", async () => {
  const { opened, button } = show();
  fireEvent.click(button);
  await screen.findByRole("dialog", { name: "Mapping" });
  expect(opened).toHaveBeenCalledOnce();
  expect(button.getAttribute("aria-expanded")).toBe("true");
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  await isClosed(button);
});

test("escape_closes_it_and_the_button_has_the_focus_again", async () => {
  const { button } = show();
  button.focus();
  fireEvent.click(button);
  const dialog = await screen.findByRole("dialog");
  await waitFor(() =>
    expect(dialog.contains(document.activeElement)).toBe(true),
  );
  fireEvent.keyDown(document.activeElement ?? dialog, { key: "Escape" });
  await isClosed(button);
  await waitFor(() => expect(document.activeElement).toBe(button));
});
