import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { RunWindow } from "../../../src/engine/generated/RunWindow";
import { WindowForm } from "../../../src/views/timeline/WindowForm";
import { TimelinePanel } from "../../../src/views/timeline/TimelinePanel";
import { smallTimeline } from "../../pictures/timelineData";

/** The plot is 400 px wide, one pixel per access of the small timeline. */
const WIDTH = 116 + 400 + 8;

function show(window?: RunWindow, from = 0, to = 400) {
  const onChange = vi.fn<(window: RunWindow | undefined) => unknown>();
  const onBrush = vi.fn<(from: number, to: number) => void>();
  const timeline = smallTimeline();
  const { container } = render(
    <TimelinePanel
      timeline={{ ...timeline, view: { ...timeline.view, from, to } }}
      nAccesses={400}
      cursor={150}
      width={WIDTH}
      counting={{ window, onChange }}
      onSeek={() => undefined}
      onBrush={onBrush}
      onReset={() => undefined}
    />,
  );
  const surface = screen.getByRole("slider", { name: /^Access/ });
  surface.setPointerCapture = () => undefined;
  const marks = () =>
    [...container.querySelectorAll<HTMLElement>(".timeline-uncounted")].map(
      ({ style, classList }) => [
        classList.contains("warm") ? "warm" : "skipped",
        style.left,
        style.width,
      ],
    );
  return { surface, onChange, onBrush, marks };
}

/** Returns the border with this name. */
function edge(name: string) {
  const handle = screen.getByRole("slider", { name });
  handle.setPointerCapture = () => undefined;
  return handle;
}

function form(window?: RunWindow) {
  const onChange = vi.fn<(window: RunWindow | undefined) => void>();
  const onDone = vi.fn<() => void>();
  const span = { from: 0, to: 400 };
  const props = { window, nAccesses: 400, span, onChange, onDone };
  render(<WindowForm {...props} />);
  return { onChange, onDone };
}

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});

test("a_drag_with_shift_chooses_what_is_counted", () => {
  const { surface, onChange, onBrush } = show();
  const at = (clientX: number) => ({ clientX, pointerId: 1, shiftKey: true });
  fireEvent.pointerDown(surface, { ...at(100), button: 0 });
  fireEvent.pointerMove(surface, at(200));
  fireEvent.pointerMove(surface, at(299));
  expect(screen.getByText("count 100 – 299")).toBeTruthy();
  fireEvent.pointerUp(surface, at(299));
  expect(onChange.mock.calls).toEqual([[{ skip: 0, warmup: 100, limit: 200 }]]);
  expect(onBrush).not.toHaveBeenCalled();
});

test("c_counts_what_is_shown", () => {
  const { surface, onChange } = show(undefined, 100, 300);
  fireEvent.keyDown(surface, { key: "c" });
  expect(onChange.mock.calls).toEqual([[{ skip: 0, warmup: 100, limit: 200 }]]);
});

test("borders_are_moved_by_pointer_and_keys", () => {
  const { onChange } = show({ skip: 50, warmup: 100, limit: 150 });
  const begin = edge("Counting begins");
  fireEvent.pointerDown(begin, { clientX: 116 + 150, pointerId: 1, button: 0 });
  fireEvent.pointerMove(begin, { clientX: 116 + 180, pointerId: 1 });
  expect(begin.textContent).toBe("180");
  fireEvent.pointerUp(begin, { clientX: 116 + 200, pointerId: 1 });
  for (const [name, key] of [
    ["Warm-up begins", "ArrowLeft"],
    ["Counting ends", "ArrowRight"],
  ] as const) {
    fireEvent.keyDown(edge(name), { key });
    fireEvent.keyUp(edge(name), { key });
  }
  expect(onChange.mock.calls).toEqual([
    [{ skip: 50, warmup: 150, limit: 100 }],
    [{ skip: 46, warmup: 104, limit: 150 }],
    [{ skip: 50, warmup: 100, limit: 154 }],
  ]);
});

test("a_click_next_to_the_middle_of_a_border_leaves_it_where_it_is", () => {
  const { onChange } = show({ skip: 50, warmup: 100, limit: 150 });
  const begin = edge("Counting begins");
  const at = (x: number) => ({ clientX: 116 + x, pointerId: 1 });
  fireEvent.pointerDown(begin, { ...at(155), button: 0 });
  fireEvent.pointerUp(begin, at(155));
  fireEvent.pointerDown(begin, { ...at(155), button: 0 });
  fireEvent.pointerMove(begin, at(157));
  fireEvent.pointerUp(begin, at(157));
  expect(onChange).not.toHaveBeenCalled();
  // A drag moves the border as far as the pointer.
  fireEvent.pointerDown(begin, { ...at(155), button: 0 });
  fireEvent.pointerMove(begin, at(165));
  fireEvent.pointerUp(begin, at(165));
  expect(onChange.mock.calls).toEqual([
    [{ skip: 50, warmup: 110, limit: 140 }],
  ]);
});

test("the_end_can_be_dragged_to_the_very_end_and_no_border_past_its_neighbour", () => {
  const { onChange } = show({ skip: 50, warmup: 100, limit: 150 });
  const at = (x: number) => ({ clientX: 116 + x, pointerId: 1 });
  const drag = (name: string, from: number, to: number) => {
    fireEvent.pointerDown(edge(name), { ...at(from), button: 0 });
    fireEvent.pointerMove(edge(name), at(to));
    const { textContent } = edge(name);
    fireEvent.pointerUp(edge(name), at(to));
    return textContent;
  };
  expect(drag("Counting ends", 300, 450)).toBe("400");
  expect(drag("Counting ends", 300, 20)).toBe("151");
  expect(drag("Counting begins", 150, 390)).toBe("299");
  expect(onChange.mock.calls).toEqual([
    [{ skip: 50, warmup: 100 }],
    [{ skip: 50, warmup: 100, limit: 1 }],
    [{ skip: 50, warmup: 249, limit: 1 }],
  ]);
});

test("a_key_that_is_held_moves_a_border_and_runs_the_trace_once", () => {
  const { onChange } = show({ skip: 50, warmup: 100, limit: 150 });
  const begin = edge("Counting begins");
  for (let n = 0; n < 5; n++)
    fireEvent.keyDown(begin, { key: "ArrowRight", repeat: n > 0 });
  expect(begin.getAttribute("aria-valuenow")).toBe("170");
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.keyUp(begin, { key: "ArrowRight" });
  fireEvent.keyDown(begin, { key: "End" });
  fireEvent.blur(begin);
  fireEvent.blur(begin);
  expect(onChange.mock.calls).toEqual([
    [{ skip: 50, warmup: 120, limit: 130 }],
    [{ skip: 50, warmup: 249, limit: 1 }],
  ]);
});

test("home_end_and_page_keys_keep_a_border_within_what_it_says_are_its_bounds", () => {
  show({ skip: 50, warmup: 100, limit: 150 });
  const begin = edge("Counting begins");
  const limits = ["valuemin", "valuemax"].map((name) =>
    begin.getAttribute(`aria-${name}`),
  );
  const at = ["Home", "PageUp", "End", "PageDown"].map((key) => {
    fireEvent.keyDown(begin, { key });
    return begin.getAttribute("aria-valuenow");
  });
  expect([limits, at]).toEqual([
    ["50", "299"],
    ["50", "90", "299", "259"],
  ]);
});

test("the_next_move_starts_from_what_was_asked_for_though_it_is_not_there_yet", async () => {
  const { onChange } = show({ skip: 50, warmup: 100, limit: 150 });
  let settle: () => void = () => undefined;
  onChange.mockImplementation(
    () => new Promise<void>((resolve) => (settle = resolve)),
  );
  const press = (name: string, key: string) => {
    fireEvent.keyDown(edge(name), { key });
    fireEvent.keyUp(edge(name), { key });
  };
  press("Counting begins", "ArrowRight");
  press("Counting begins", "ArrowRight");
  press("Counting ends", "ArrowLeft");
  expect(onChange.mock.calls).toEqual([
    [{ skip: 50, warmup: 104, limit: 146 }],
    [{ skip: 50, warmup: 108, limit: 142 }],
    [{ skip: 50, warmup: 108, limit: 138 }],
  ]);
  // The change was rejected, so the borders have not moved.
  await act(async () => {
    settle();
    await Promise.resolve();
  });
  expect(edge("Counting begins").getAttribute("aria-valuenow")).toBe("150");
});

test("where_all_is_counted_nothing_is_marked", () => {
  expect(show().marks()).toEqual([]);
});

test("what_is_not_counted_is_marked", () => {
  expect(show({ skip: 50, warmup: 100, limit: 150 }).marks()).toEqual([
    ["skipped", "116px", "50px"],
    ["warm", "166px", "100px"],
    ["skipped", "416px", "100px"],
  ]);
});

test("numbers_are_written_checked_and_run", () => {
  const { onChange, onDone } = form();
  const field = (name: string) => screen.getByRole("textbox", { name });
  fireEvent.change(field("skip"), { target: { value: "10" } });
  fireEvent.change(field("warm up with"), { target: { value: "1,000" } });
  fireEvent.click(screen.getByRole("button", { name: "Run" }));
  expect(screen.getByRole("alert").textContent).toContain("390 are left");
  expect(field("warm up with").getAttribute("aria-invalid")).toBe("true");
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.change(field("warm up with"), { target: { value: "x" } });
  fireEvent.click(screen.getByRole("button", { name: "Run" }));
  expect(screen.getByRole("alert").textContent).toContain(
    "“x” is not a number",
  );
  fireEvent.change(field("warm up with"), { target: { value: "20" } });
  expect(screen.getByText("370 accesses counted")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Run" }));
  expect(onChange.mock.calls).toEqual([[{ skip: 10, warmup: 20 }]]);
  expect(onDone).toHaveBeenCalledOnce();
});

test("all_can_be_counted_again", () => {
  const { onChange } = form({ skip: 50, warmup: 100, limit: 150 });
  fireEvent.click(screen.getByRole("button", { name: "Count all" }));
  expect(onChange.mock.calls).toEqual([[undefined]]);
});
