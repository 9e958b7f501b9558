import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TimelineColumns } from "../../../src/model/timeline/counts";
import { TimelinePanel } from "../../../src/views/timeline/TimelinePanel";
import { barsOf, smallTimeline } from "../../pictures/timelineData";

/** The plot is 400 px wide, one pixel per access of the small timeline, and its left edge is that of the window. */
const WIDTH = 116 + 400 + 8;

function show(timeline: TimelineColumns, cursor = 150) {
  const onSeek = vi.fn<(access: number) => void>();
  const onBrush = vi.fn<(from: number, to: number) => void>();
  const onReset = vi.fn<() => void>();
  render(
    <TimelinePanel
      timeline={timeline}
      nAccesses={400}
      cursor={cursor}
      width={WIDTH}
      onSeek={onSeek}
      onBrush={onBrush}
      onReset={onReset}
    />,
  );
  const surface = screen.getByRole("slider");
  // jsdom has neither layout nor pointer capture.
  surface.setPointerCapture = () => undefined;
  const key = (name: string, more = {}) =>
    fireEvent.keyDown(surface, { key: name, ...more });
  return { surface, key, onSeek, onBrush, onReset };
}

function zoomed(): TimelineColumns {
  const timeline = smallTimeline();
  return { ...timeline, view: { ...timeline.view, from: 100, to: 300 } };
}

function wait(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

function drag(surface: Element, from: number, to: number) {
  fireEvent.pointerDown(surface, { clientX: from, button: 0, pointerId: 1 });
  fireEvent.pointerMove(surface, { clientX: (from + to) / 2, pointerId: 1 });
  fireEvent.pointerMove(surface, { clientX: to, pointerId: 1 });
}

beforeEach(() => {
  // jsdom has no canvas, and logs an error for each use.
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a_click_seeks", () => {
  const { surface, onSeek, onBrush } = show(smallTimeline());
  fireEvent.pointerDown(surface, { clientX: 120, button: 0, pointerId: 1 });
  fireEvent.pointerUp(surface, { clientX: 121, pointerId: 1 });
  fireEvent.click(surface, { clientX: 121, detail: 1 });
  expect(onSeek.mock.calls).toEqual([[121]]);
  expect(onBrush).not.toHaveBeenCalled();
});

test("a_drag_selects_a_window_and_does_not_seek", () => {
  const { surface, onSeek, onBrush } = show(smallTimeline());
  drag(surface, 300, 100);
  expect(screen.getByText("100 – 300")).toBeTruthy();
  fireEvent.pointerUp(surface, { clientX: 100, pointerId: 1 });
  fireEvent.click(surface, { clientX: 100, detail: 1 });
  expect(onBrush.mock.calls).toEqual([[100, 301]]);
  expect(onSeek).not.toHaveBeenCalled();
});

test("escape_takes_a_drag_back", () => {
  const { surface, key, onBrush } = show(smallTimeline());
  drag(surface, 100, 300);
  key("Escape");
  fireEvent.pointerUp(surface, { clientX: 300, pointerId: 1 });
  expect(onBrush).not.toHaveBeenCalled();
});

test("a_double_click_resets_and_leaves_the_replay_where_it_stood", () => {
  const { surface, onSeek, onReset } = show(zoomed(), 150);
  for (const detail of [1, 2]) {
    fireEvent.pointerDown(surface, { clientX: 20, button: 0, pointerId: 1 });
    fireEvent.pointerUp(surface, { clientX: 20, pointerId: 1 });
    fireEvent.click(surface, { clientX: 20, detail });
  }
  fireEvent.doubleClick(surface);
  expect(onSeek.mock.calls).toEqual([[110], [150]]);
  expect(onReset).toHaveBeenCalledOnce();
});

test("two_fingers_zoom", () => {
  const { surface, onBrush } = show(smallTimeline());
  fireEvent.pointerDown(surface, {
    clientX: 150,
    button: 0,
    pointerId: 1,
    pointerType: "touch",
  });
  fireEvent.pointerDown(surface, {
    clientX: 250,
    button: 0,
    pointerId: 2,
    pointerType: "touch",
  });
  fireEvent.pointerMove(surface, {
    clientX: 100,
    pointerId: 1,
    pointerType: "touch",
  });
  fireEvent.pointerMove(surface, {
    clientX: 300,
    pointerId: 2,
    pointerType: "touch",
  });
  wait(50);
  expect(onBrush.mock.calls).toEqual([[100, 300]]);
});

test("a_wheel_zooms_with_ctrl_and_scrolls_the_page_without", () => {
  const { surface, onBrush } = show(smallTimeline());
  expect(fireEvent.wheel(surface, { deltaY: 30, clientX: 200 })).toBe(true);
  expect(
    fireEvent.wheel(surface, { deltaY: -30, clientX: 200, ctrlKey: true }),
  ).toBe(false);
  wait(50);
  expect(onBrush.mock.calls).toEqual([[52, 348]]);
});

test("hovering_says_what_a_bar_holds_and_leaving_closes_it", () => {
  const { surface } = show(smallTimeline());
  fireEvent.pointerMove(surface, { clientX: 20, clientY: 20 });
  expect(screen.queryByRole("tooltip")).toBeNull();
  wait(100);
  expect(screen.getByRole("tooltip").textContent).toContain(
    "accesses 0 – 99104 translations",
  );
  fireEvent.pointerLeave(surface);
  wait(300);
  expect(screen.queryByRole("tooltip")).toBeNull();
});

test("hovering_a_cell_says_its_pages", () => {
  const { surface } = show(smallTimeline());
  fireEvent.pointerMove(surface, { clientX: 20, clientY: 140 });
  wait(100);
  expect(screen.getByRole("tooltip").textContent).toContain(
    "heap (partly recorded), pages 3 – 5 of 10 from the top",
  );
});

test("arrows_move_by_a_bin_from_the_cursor_and_enter_seeks", () => {
  const { surface, key, onSeek } = show(smallTimeline(), 150);
  expect(surface.getAttribute("aria-valuetext")).toBe("access 150");
  key("ArrowRight");
  expect(surface.getAttribute("aria-valuenow")).toBe("200");
  expect(surface.getAttribute("aria-valuetext")).toContain(
    "accesses 200 – 299: 103 translations",
  );
  key("Enter");
  expect(onSeek.mock.calls).toEqual([[200]]);
});

test("arrows_reach_the_rows", () => {
  const { surface, key } = show(smallTimeline(), 50);
  key("ArrowDown");
  expect(surface.getAttribute("aria-valuetext")).toContain(
    "stack (recorded), its only page: 20 accesses",
  );
  key("ArrowDown");
  expect(surface.getAttribute("aria-valuetext")).toContain(
    "heap (partly recorded), pages 1 – 2",
  );
  key("ArrowUp");
  key("ArrowUp");
  expect(surface.getAttribute("aria-valuetext")).toContain("translations");
});

test("shift_selects_and_enter_zooms_into_it", () => {
  const { key, onBrush, onSeek } = show(smallTimeline(), 150);
  key("Home");
  key("ArrowRight", { shiftKey: true });
  key("ArrowRight", { shiftKey: true });
  key("Enter");
  expect(onBrush.mock.calls).toEqual([[0, 300]]);
  expect(onSeek).not.toHaveBeenCalled();
});

test("plus_and_minus_zoom_about_the_cursor", () => {
  const { key, onBrush, onReset } = show(zoomed(), 150);
  key("+");
  wait(50);
  expect(onBrush.mock.calls).toEqual([[125, 225]]);
  key("-");
  key("-");
  wait(50);
  expect(onReset).toHaveBeenCalledOnce();
});

test("escape_resets_a_zoom", () => {
  const { key, onReset } = show(zoomed());
  key("Escape");
  expect(onReset).toHaveBeenCalledOnce();
});

test("a_key_that_is_used_here_goes_no_further_and_others_do", () => {
  const outside = vi.fn<(event: Event) => void>();
  window.addEventListener("keydown", outside);
  const { key } = show(smallTimeline());
  key("ArrowRight");
  expect(outside).not.toHaveBeenCalled();
  key("w");
  key("Escape");
  key("Escape");
  expect(outside).toHaveBeenCalledTimes(2);
  window.removeEventListener("keydown", outside);
});

test("past_the_edge_a_zoomed_window_moves", () => {
  const { key, onBrush } = show(zoomed(), 290);
  key("End");
  key("ArrowRight");
  wait(50);
  expect(onBrush.mock.calls).toEqual([[200, 400]]);
});

test("the_grid_is_reported_once_however_often_the_cursor_moves", () => {
  const onGrid = vi.fn<(grid: { bins: number; rows: number }) => void>();
  const panel = (cursor: number) => (
    <TimelinePanel
      timeline={smallTimeline()}
      nAccesses={400}
      cursor={cursor}
      width={1408}
      onSeek={() => undefined}
      onBrush={() => undefined}
      onReset={() => undefined}
      onGrid={(grid) => onGrid(grid)}
    />
  );
  const { rerender } = render(panel(1));
  rerender(panel(2));
  expect(onGrid.mock.calls).toEqual([[{ bins: 256, rows: 53 }]]);
});

test("a_region_says_where_it_is", () => {
  show(smallTimeline());
  fireEvent.pointerEnter(screen.getByText("heap"));
  wait(100);
  expect(screen.getByRole("tooltip", { hidden: true }).textContent).toBe(
    "heap0x55d0c8a00000 – 0x55d0c8a0a00010 pages of 4K touched, 300 accessesThe trace’s memory map records (mmap) contain 4 of its 10 pages; the rest is inferred.",
  );
});

test("the_crop_is_a_switch", () => {
  show(barsOf([0.04, 0.02, 0.01, 0.01]));
  expect(screen.queryByText("100 %")).toBeNull();
  fireEvent.click(screen.getByLabelText("0 to 100 %"));
  expect(screen.getByText("100 %")).toBeTruthy();
});

test("a_cursor_outside_the_window_is_shown_at_its_edge", () => {
  show(zoomed(), 20);
  expect(screen.getByText("◂ 20")).toBeTruthy();
});
