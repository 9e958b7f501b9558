import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { PhoneTransport } from "../../../src/views/transport/PhoneTransport";
import { Transport } from "../../../src/views/transport/Transport";
import type { TransportProps } from "../../../src/views/transport/Transport";

type Given = Partial<Pick<TransportProps, "cursor" | "playing" | "disabled">>;

function props(more: Given = {}) {
  return {
    cursor: 12_345,
    nAccesses: 398_306,
    playing: false,
    speed: 1000,
    onPlay: vi.fn<TransportProps["onPlay"]>(),
    onMove: vi.fn<TransportProps["onMove"]>(),
    onJump: vi.fn<TransportProps["onJump"]>(),
    onSpeed: vi.fn<TransportProps["onSpeed"]>(),
    onSeek: vi.fn<TransportProps["onSeek"]>(),
    onFind: vi.fn<TransportProps["onFind"]>(),
    onKeys: vi.fn<TransportProps["onKeys"]>(),
    ...more,
  };
}

const press = (name: string) =>
  fireEvent.click(screen.getByRole("button", { name }));

test("the_buttons_move_and_play", () => {
  const given = props();
  render(<Transport {...given} />);
  for (const name of [
    "To the start",
    "Step back",
    "Play",
    "Step",
    "To the end",
  ])
    press(name);
  expect(given.onMove.mock.calls).toEqual([
    ["start"],
    ["back"],
    ["step"],
    ["end"],
  ]);
  expect(given.onPlay.mock.calls).toEqual([[true]]);
});

test("while_playing_the_button_pauses", () => {
  const given = props({ playing: true });
  render(<Transport {...given} />);
  press("Pause");
  expect(given.onPlay.mock.calls).toEqual([[false]]);
});

test("every_jump_goes_both_ways", () => {
  const given = props();
  render(<Transport {...given} />);
  for (const word of ["L1 miss", "walk", "page fault or exception"]) {
    press(`Next ${word}`);
    press(`Previous ${word}`);
  }
  expect(given.onJump.mock.calls).toEqual([
    ["l1-miss", 1],
    ["l1-miss", -1],
    ["walk", 1],
    ["walk", -1],
    ["fault", 1],
    ["fault", -1],
  ]);
});

test("shift_turns_a_jump_round", () => {
  const given = props();
  render(<Transport {...given} />);
  fireEvent.click(screen.getByRole("button", { name: "Next walk" }), {
    shiftKey: true,
  });
  expect(given.onJump.mock.calls).toEqual([["walk", -1]]);
});

test("at_an_end_the_buttons_say_why_they_do_nothing", () => {
  const given = props({ cursor: 0 });
  render(<Transport {...given} />);
  press("Step back");
  expect(given.onMove).not.toHaveBeenCalled();
  expect(
    screen
      .getByRole("button", { name: "Step back" })
      .getAttribute("aria-disabled"),
  ).toBe("true");
  expect(
    screen.getByRole("button", { name: "Step" }).getAttribute("aria-disabled"),
  ).toBe("false");
});

test("what_cannot_be_played_stays_focusable_and_does_nothing", () => {
  const given = props({ disabled: "A sample has no order." });
  render(<Transport {...given} />);
  for (const name of ["Play", "Step", "Next walk"]) press(name);
  expect(
    [given.onPlay, given.onMove, given.onJump].every(
      (call) => call.mock.calls.length === 0,
    ),
  ).toBe(true);
});

test("each_speed_is_one_click_away", () => {
  const given = props();
  render(<Transport {...given} />);
  const speeds = within(
    screen.getByRole("radiogroup", { name: "Speed in accesses per second" }),
  );
  const labels = speeds.getAllByRole("radio").map((radio) => {
    const { value, checked } = radio as HTMLInputElement;
    return checked ? `[${value}]` : value;
  });
  expect(labels).toEqual(["1", "2", "10", "[1000]", "1000000"]);
  fireEvent.click(speeds.getByRole("radio", { name: "2" }));
  expect(given.onSpeed.mock.calls).toEqual([[2]]);
});

test("an_access_number_is_gone_to_with_enter", () => {
  const given = props();
  render(<Transport {...given} />);
  const field = screen.getByLabelText("access");
  fireEvent.change(field, { target: { value: "99 000" } });
  expect(given.onSeek).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: "Enter" });
  expect(given.onSeek.mock.calls).toEqual([[99_000]]);
});

test("a_wrong_access_number_is_explained_at_the_field_and_escape_takes_it_back", () => {
  const given = props();
  render(<Transport {...given} />);
  const field = screen.getByLabelText("access");
  fireEvent.change(field, { target: { value: "400000" } });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.getByRole("alert").textContent).toBe(
    "The last access is 398,305",
  );
  expect(field.getAttribute("aria-invalid")).toBe("true");
  fireEvent.keyDown(field, { key: "Escape" });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByDisplayValue("12,345")).toBeTruthy();
  expect(given.onSeek).not.toHaveBeenCalled();
});

test("the_hints_are_buttons", () => {
  const given = props();
  render(<Transport {...given} />);
  press("/ find a page");
  press("? keys");
  expect([
    given.onFind.mock.calls.length,
    given.onKeys.mock.calls.length,
  ]).toEqual([1, 1]);
});

test("on_a_phone_the_jumps_are_behind_next_and_the_last_one_is_remembered", () => {
  const given = props();
  render(<PhoneTransport {...given} />);
  expect(
    screen.queryByRole("button", { name: "Previous page fault or exception" }),
  ).toBeNull();
  press("next");
  press("Previous page fault or exception");
  expect(given.onJump.mock.calls).toEqual([["fault", -1]]);
  const next = screen.getByRole("button", { name: "next" });
  expect(next.getAttribute("aria-expanded")).toBe("false");
  expect(next.innerHTML).toContain("var(--fault)");
});

test("a_press_outside_closes_the_sheet_of_a_phone", () => {
  render(<PhoneTransport {...props()} />);
  press("next");
  fireEvent.pointerDown(document.body);
  expect(screen.queryByRole("button", { name: "Next walk" })).toBeNull();
});
