// @vitest-environment jsdom
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { RunWindow } from "../../../src/engine/generated/RunWindow";
import { WindowForm } from "../../../src/views/timeline/WindowForm";
import { TimelinePanel } from "../../../src/views/timeline/TimelinePanel";
import { smallTimeline } from "../../pictures/timelineData";

/** The plot is 400 px wide, one pixel per access of the small timeline. */
const WIDTH = 116 + 400 + 8;

function show(window?: RunWindow, from = 0, to = 400) {
  const onChange = vi.fn<(window: RunWindow | undefined) => void>();
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
  const edge = (name: string) => {
    const handle = screen.getByRole("slider", { name });
    handle.setPointerCapture = () => undefined;
    return handle;
  };
  const begin = edge("Counting begins");
  fireEvent.pointerDown(begin, { clientX: 116 + 150, pointerId: 1, button: 0 });
  fireEvent.pointerMove(begin, { clientX: 116 + 180, pointerId: 1 });
  expect(begin.textContent).toBe("180");
  fireEvent.pointerUp(begin, { clientX: 116 + 200, pointerId: 1 });
  fireEvent.keyDown(edge("Warm-up begins"), { key: "ArrowLeft" });
  fireEvent.keyDown(edge("Counting ends"), { key: "ArrowRight" });
  expect(onChange.mock.calls).toEqual([
    [{ skip: 50, warmup: 150, limit: 100 }],
    [{ skip: 46, warmup: 104, limit: 150 }],
    [{ skip: 50, warmup: 100, limit: 154 }],
  ]);
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
  expect(screen.getByRole("alert").textContent).toContain("x is no number");
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
