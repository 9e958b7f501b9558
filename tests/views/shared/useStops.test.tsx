import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useStops } from "../../../src/views/shared/useStops";

interface ThreeProps {
  readonly page?: number;
  readonly onEnter: (at: number, isShift: boolean) => void;
}

function Stops({ page, onEnter }: ThreeProps) {
  const { at, values, onKeyDown, leave } = useStops({
    n: 10,
    ...(page !== undefined && { page }),
    onEnter,
    stopAt: (next) => ({
      place: { left: 0, top: 0, width: 1, height: 1 },
      content: `stop ${next}`,
    }),
  });
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="stops"
      {...values}
      aria-valuenow={at ?? -1}
      onKeyDown={onKeyDown}
      onPointerLeave={leave}
    />
  );
}

test.each([
  [["ArrowRight", "ArrowUp"], undefined, 1],
  [["End", "ArrowRight"], undefined, 9],
  [["End", "ArrowLeft", "ArrowDown"], undefined, 7],
  [["ArrowLeft"], undefined, 0],
  [["End", "Home"], undefined, 0],
  [["Home", "PageDown"], 3, 0],
  [["Home", "PageUp"], 3, 3],
  [["Home", "PageUp"], undefined, 0],
  [["End", "Escape"], undefined, -1],
])("after_%j_with_pages_of_%s_stop_%i_is_read", (keys, page, at) => {
  render(<Stops onEnter={vi.fn()} {...(page !== undefined && { page })} />);
  const slider = screen.getByRole("slider");
  for (const key of keys) fireEvent.keyDown(slider, { key });
  expect(slider.getAttribute("aria-valuenow")).toBe(String(at));
});

test("enter_takes_the_stop_that_is_read_and_none_where_none_is", () => {
  const onEnter = vi.fn();
  render(<Stops onEnter={onEnter} />);
  const slider = screen.getByRole("slider");
  fireEvent.keyDown(slider, { key: "Enter" });
  expect(onEnter).not.toHaveBeenCalled();
  fireEvent.keyDown(slider, { key: "End" });
  fireEvent.keyDown(slider, { key: "Enter", shiftKey: true });
  expect(onEnter).toHaveBeenCalledWith(9, true);
  fireEvent.blur(slider);
  expect(slider.getAttribute("aria-valuenow")).toBe("-1");
});
