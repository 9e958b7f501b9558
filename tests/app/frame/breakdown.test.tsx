import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Breakdown, Part } from "../../../src/app/frame/Breakdown";

function Broken(): never {
  throw new Error("a picture without a size");
}

test("a_page_that_cannot_be_drawn_says_so_and_offers_ways_on", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <Breakdown>
      <Broken />
    </Breakdown>,
  );
  expect(screen.getByRole("alert").textContent).toContain(
    "a picture without a size",
  );
  const names = screen.getAllByRole("button").map((b) => b.textContent);
  expect(names).toEqual(["Reload", "Start over"]);
});

test("a_page_that_can_be_drawn_is_left_alone", () => {
  const { container } = render(<Breakdown>all is well</Breakdown>);
  expect(container.textContent).toBe("all is well");
});

test("a_part_that_is_gone_asks_for_a_reload_and_nothing_else", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Gone = () => {
    throw new TypeError("Failed to fetch dynamically imported module: a.js");
  };
  render(
    <Breakdown>
      <Gone />
    </Breakdown>,
  );
  expect(screen.getByRole("alert").textContent).toContain("a new version");
  const names = screen.getAllByRole("button").map((b) => b.textContent);
  expect(names).toEqual(["Reload"]);
});

test("a_quiet_part_tells_its_error_and_leaves_its_place_empty", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const onError = vi.fn();
  const { container } = render(
    <Part onError={onError}>
      <Broken />
    </Part>,
  );
  expect(container.textContent).toBe("");
  expect(onError).toHaveBeenCalledOnce();
});
