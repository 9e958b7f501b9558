import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useTokens } from "../../../src/views/shared/useTokens";

const root = document.documentElement;

afterEach(() => {
  vi.restoreAllMocks();
  root.removeAttribute("style");
  delete root.dataset["theme"];
});

function Ink() {
  const { colours } = useTokens();
  return <p>{colours("--text")}</p>;
}

test("a_token_is_read_once_and_again_in_another_theme", async () => {
  root.style.setProperty("--text", "black");
  const read = vi.spyOn(window, "getComputedStyle");
  const { rerender } = render(<Ink />);
  rerender(<Ink />);
  read.mockClear();
  rerender(<Ink />);
  expect(read).not.toHaveBeenCalled();

  root.style.setProperty("--text", "white");
  // The observer of the theme reports after the change.
  await act(async () => {
    root.dataset["theme"] = "dark";
    await Promise.resolve();
  });
  expect(screen.getByText("white").tagName).toBe("P");
});
