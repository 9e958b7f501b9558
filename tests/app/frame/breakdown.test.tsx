import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Breakdown } from "../../../src/app/frame/Breakdown";

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
