import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { placeTip } from "../../../src/views/shared/tipPlace";
import { Tooltip } from "../../../src/views/shared/Tooltip";

const viewport = { width: 1000, height: 800 };
const tip = { width: 200, height: 100 };

test.each([
  [
    "above_its_anchor",
    { left: 500, top: 400, width: 20, height: 20 },
    { left: 410, top: 294 },
  ],
  [
    "below_where_there_is_no_room_above",
    { left: 500, top: 50, width: 20, height: 20 },
    { left: 410, top: 76 },
  ],
  [
    "inside_the_left_edge",
    { left: 0, top: 400, width: 20, height: 20 },
    { left: 8, top: 294 },
  ],
  [
    "inside_the_right_edge",
    { left: 990, top: 400, width: 10, height: 20 },
    { left: 792, top: 294 },
  ],
  [
    "at_the_right_of_a_tall_anchor",
    { left: 500, top: 20, width: 20, height: 760 },
    { left: 526, top: 20 },
  ],
  [
    "at_the_left_of_a_tall_anchor",
    { left: 900, top: 20, width: 20, height: 760 },
    { left: 694, top: 20 },
  ],
])("a tooltip stands %s", (_, anchor, place) => {
  expect(placeTip(anchor, tip, viewport)).toEqual(place);
});

test.each([
  ["above", { left: 500, top: 400 }, { left: 526, top: 294 }],
  ["at the left edge", { left: 0, top: 400 }, { left: 26, top: 294 }],
  ["at the right edge", { left: 900, top: 400 }, { left: 694, top: 294 }],
  ["at the top", { left: 500, top: 50 }, { left: 526, top: 76 }],
])("a tooltip at the corner of a cell %s", (_, cell, place) => {
  const anchor = { ...cell, width: 20, height: 20 };
  expect(placeTip(anchor, tip, viewport, "corner")).toEqual(place);
});

describe("a tooltip", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function show() {
    render(
      <Tooltip content="because">
        <button type="button">why</button>
      </Tooltip>,
    );
    return screen.getByRole("button");
  }
  const wait = (ms: number) => {
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  };
  const open = () => screen.queryByRole("tooltip");

  test("opens_after_a_short_hover_and_describes_its_control", () => {
    const button = show();
    fireEvent.pointerEnter(button);
    fireEvent.pointerOver(button);
    wait(60);
    expect(open()).toBeNull();
    wait(40);
    expect(open()?.textContent).toBe("because");
    expect(button.getAttribute("aria-describedby")).toBe(open()?.id);
  });

  test("can_be_reached_by_the_pointer_and_closes_when_that_leaves", () => {
    const button = show();
    fireEvent.pointerOver(button);
    wait(100);
    fireEvent.pointerOut(button);
    const box = open();
    if (box) fireEvent.pointerOver(box);
    wait(1000);
    expect(open()).not.toBeNull();
    if (box) fireEvent.pointerOut(box);
    wait(1000);
    expect(open()).toBeNull();
  });

  test("is_dismissed_by_escape_alone", () => {
    const outside = vi.fn<() => void>();
    window.addEventListener("keydown", outside);
    const button = show();
    fireEvent.pointerOver(button);
    wait(100);
    fireEvent.keyDown(button, { key: "Escape" });
    expect(open()).toBeNull();
    expect(outside).not.toHaveBeenCalled();
    fireEvent.keyDown(button, { key: "Escape" });
    expect(outside).toHaveBeenCalledOnce();
    window.removeEventListener("keydown", outside);
  });

  test("does_not_open_for_a_touch", () => {
    const button = show();
    fireEvent.pointerOver(button, { pointerType: "touch" });
    wait(500);
    expect(open()).toBeNull();
  });

  test("opens_for_a_tap_on_what_has_no_action_and_closes_for_a_press_elsewhere", () => {
    render(
      <Tooltip content="because" tap>
        <button type="button">why</button>
      </Tooltip>,
    );
    const button = screen.getByRole("button");
    fireEvent.pointerOver(button, { pointerType: "touch" });
    fireEvent.pointerDown(button, { pointerType: "touch" });
    fireEvent.pointerOut(button, { pointerType: "touch" });
    fireEvent.click(button);
    wait(1000);
    expect(open()).not.toBeNull();
    fireEvent.pointerDown(document.body);
    expect(open()).toBeNull();
  });

  test("closes_when_the_control_is_pressed", () => {
    const button = show();
    fireEvent.pointerOver(button);
    wait(100);
    fireEvent.pointerDown(button);
    expect(open()).toBeNull();
  });
});
