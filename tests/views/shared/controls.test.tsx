import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Segmented } from "../../../src/views/shared/Segmented";
import {
  readToken,
  useTheme,
  useTokens,
} from "../../../src/views/shared/useTokens";

test("one_of_a_segmented_control_is_chosen", () => {
  const onChange = vi.fn<(value: "a" | "b" | "c") => void>();
  render(
    <Segmented
      label="which"
      value="a"
      choices={[
        { value: "a", label: "first" },
        { value: "b", label: "second" },
        { value: "c", label: "third", disabled: "not now" },
      ]}
      onChange={onChange}
    />,
  );
  expect(screen.getByRole("radiogroup", { name: "which" })).toBeTruthy();
  fireEvent.click(screen.getByLabelText("second"));
  fireEvent.click(screen.getByLabelText("third"));
  expect(onChange.mock.calls).toEqual([["b"]]);
});

function Ground() {
  const { colours } = useTokens();
  return (
    <p>{`${colours("--surface")} ${useTheme() > 0 ? "changed" : "first"}`}</p>
  );
}

test("a_change_of_theme_is_seen_by_pictures", async () => {
  const style = document.createElement("style");
  style.textContent =
    ':root { --surface: #fff; } [data-theme="dark"] { --surface: #111; }';
  document.head.append(style);
  render(<Ground />);
  expect(screen.getByText("#fff first")).toBeTruthy();
  document.documentElement.dataset.theme = "dark";
  // Mutation observers report later.
  expect(await screen.findByText("#111 changed")).toBeTruthy();
  expect(readToken("--not-there")).toBe("transparent");
  delete document.documentElement.dataset.theme;
  style.remove();
});
