/**
 * Keys inside the picture: arrows move the mark by a bin or a row, Shift with arrows selects, Enter goes to
 * the mark or zooms to the selection, C counts only the selection, + and − zoom, Escape cancels. A handled
 * key does not propagate, since arrows step the replay elsewhere.
 */
import type { KeyboardEvent } from "react";
import {
  binOf,
  binSpan,
  panSpan,
  spanBetween,
  zoomSpan,
} from "../../model/timeline/counts";
import type { AccessIndex, BinIndex, RowIndex } from "../../model/shared/units";
import type { SurfaceControl } from "./surfaceControl";

const ZOOM = 0.5;
const PAGE = 10;

export function useKeys(control: SurfaceControl, dismiss: () => void) {
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (
        event.altKey ||
        event.ctrlKey ||
        event.metaKey ||
        !press(control, event, dismiss)
      )
        return;
      event.preventDefault();
      event.stopPropagation();
    },
    onBlur: () => {
      control.point(null);
      control.select(null);
    },
  };
}

/** Returns false if the key has no meaning here. */
function press(
  control: SurfaceControl,
  { key, shiftKey }: KeyboardEvent,
  dismiss: () => void,
): boolean {
  const { timeline } = control;
  const last = timeline.view.bins - 1;
  const bin = binOf(timeline.view, here(control));
  switch (key) {
    case "ArrowLeft":
      toBin(control, bin - 1, shiftKey);
      return true;
    case "ArrowRight":
      toBin(control, bin + 1, shiftKey);
      return true;
    case "PageUp":
      toBin(control, Math.min(last, bin + PAGE), shiftKey);
      return true;
    case "PageDown":
      toBin(control, Math.max(0, bin - PAGE), shiftKey);
      return true;
    case "Home":
      toBin(control, 0, shiftKey);
      return true;
    case "End":
      toBin(control, last, shiftKey);
      return true;
    case "ArrowUp":
    case "ArrowDown":
      control.point({
        access: binSpan(timeline.view, bin).from,
        row: nextRow(control, key === "ArrowUp" ? -1 : 1),
      });
      return true;
    case "c":
    case "C":
      return countSelected(control, dismiss);
    case "+":
    case "=":
      zoom(control, ZOOM);
      return true;
    case "-":
      zoom(control, 1 / ZOOM);
      return true;
    case "Enter":
      return enter(control, dismiss);
    case "Escape":
      return escape(control);
    default:
      return false;
  }
}

/** The access from which keys start: the mark's, or the cursor's if it is in the window. */
function here({
  mark,
  cursor,
  timeline: { view },
}: SurfaceControl): AccessIndex {
  const access = mark?.access ?? cursor;
  return Math.max(view.from, Math.min(view.to - 1, access));
}

function toBin(
  control: SurfaceControl,
  bin: BinIndex,
  selecting: boolean,
): void {
  const {
    timeline,
    nAccesses,
    mark,
    selection,
    point,
    select,
    zoomTo,
    wantedSpan,
  } = control;
  const { view } = timeline;
  const inside = bin >= 0 && bin < view.bins;
  if (!inside) {
    const width = view.to - view.from;
    if (!selecting && width < nAccesses)
      zoomTo(panSpan(wantedSpan(), (Math.sign(bin) * width) / 2, nAccesses));
    return;
  }
  const { from, to } = binSpan(view, bin);
  if (selecting) {
    const anchor = selection?.anchor ?? here(control);
    select({
      anchor,
      end: bin < binOf(view, anchor) ? from : Math.max(from, to - 1),
    });
  } else select(null);
  point({ access: from, row: mark?.row ?? null });
}

/** The next row: from the bars down into the rows and back. */
function nextRow(
  { mark, timeline: { view } }: SurfaceControl,
  by: 1 | -1,
): RowIndex | null {
  const row = (mark?.row ?? -1) + by;
  if (row < 0 || view.rows === 0) return null;
  return Math.min(row, view.rows - 1);
}

function zoom(control: SurfaceControl, factor: number): void {
  const { nAccesses, zoomTo, wantedSpan } = control;
  zoomTo(zoomSpan(wantedSpan(), here(control), factor, nAccesses));
}

function enter(
  { mark, selection, nAccesses, select, onSeek, onBrush }: SurfaceControl,
  dismiss: () => void,
): boolean {
  if (selection) {
    const span = spanBetween(selection.anchor, selection.end, nAccesses);
    select(null);
    onBrush(span.from, span.to);
  } else if (mark) onSeek(mark.access);
  else return false;
  dismiss();
  return true;
}

/** Counts only the selection, or the shown window if nothing is selected. */
function countSelected(
  { selection, timeline: { view }, nAccesses, select, onCount }: SurfaceControl,
  dismiss: () => void,
): boolean {
  if (!onCount) return false;
  const span = selection
    ? spanBetween(selection.anchor, selection.end, nAccesses)
    : view;
  select(null);
  dismiss();
  onCount(span.from, span.to);
  return true;
}

function escape({
  mark,
  selection,
  timeline: { view },
  nAccesses,
  point,
  select,
  onReset,
}: SurfaceControl): boolean {
  if (selection) {
    select(null);
    return true;
  }
  const zoomed = view.to - view.from < nAccesses;
  if (!mark && !zoomed) return false;
  point(null);
  if (zoomed) onReset();
  return true;
}
