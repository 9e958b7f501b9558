/**
 * The pointer over the picture: hover marks, click seeks, drag selects a window, Shift with drag selects what
 * is counted, double click shows all, pinch zooms.
 */
import { useEffect, useRef } from "react";
import type { MouseEvent, PointerEvent, RefObject } from "react";
import {
  binOf,
  binSpan,
  panSpan,
  spanBetween,
  zoomSpan,
} from "../../model/timeline/counts";
import { rowAt } from "../../model/timeline/bands";
import { accessAt } from "../../model/timeline/layout";
import type {
  AccessIndex,
  CssPixels,
  RowIndex,
} from "../../model/shared/units";
import { pinchSpan } from "./pinch";
import type { Finger } from "./pinch";
import type { SurfaceControl } from "./surfaceControl";

/** A press that moves less than this is a click. */
const DRAG: CssPixels = 4;

/** The gesture since the first press. It outlives the pointers by a moment, for the click that follows. */
type Gesture =
  | {
      readonly kind: "press" | "drag";
      readonly x: CssPixels;
      readonly access: AccessIndex;
    }
  | { readonly kind: "pinch" | "none" };

export function usePointer(
  control: SurfaceControl,
  surface: RefObject<HTMLDivElement | null>,
  dismiss: () => void,
) {
  const gesture = useRef<Gesture>({ kind: "none" });
  const fingers = useRef(new Map<number, Finger>());
  /** The replay's access before the first click of a double click. */
  const before = useRef<AccessIndex>(control.cursor);
  useWheel(control, surface);

  const { timeline, layout, rows, nAccesses } = control;
  const { view } = timeline;

  const place = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left + layout.left;
    return {
      x,
      access: accessAt(layout, view, x),
      row: rowAt(rows, event.clientY - box.top - layout.heatTop),
    };
  };

  const hover = ({
    access,
    row,
  }: {
    access: AccessIndex;
    row: RowIndex | null;
  }) => {
    const { from } = binSpan(view, binOf(view, access));
    if (control.mark?.access !== from || control.mark.row !== row)
      control.point({ access: from, row });
  };

  const drag = (x: CssPixels, access: AccessIndex, counts: boolean) => {
    const now = gesture.current;
    if (now.kind === "press" && Math.abs(x - now.x) > DRAG)
      gesture.current = { ...now, kind: "drag" };
    if (gesture.current.kind === "drag")
      control.select({ anchor: gesture.current.access, end: access, counts });
  };

  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const { x, access } = place(event);
      fingers.current.set(event.pointerId, { x, access });
      event.currentTarget.setPointerCapture(event.pointerId);
      dismiss();
      gesture.current =
        fingers.current.size > 1
          ? { kind: "pinch" }
          : { kind: "press", x, access };
      if (control.selection) control.select(null);
    },
    onPointerMove: (event: PointerEvent) => {
      const { x, access, row } = place(event);
      const finger = fingers.current.get(event.pointerId);
      if (finger) finger.x = x;
      if (gesture.current.kind === "pinch") {
        const span = pinchSpan(
          [...fingers.current.values()],
          layout,
          nAccesses,
        );
        if (span) control.zoomTo(span);
      } else if (finger)
        drag(x, access, event.shiftKey && control.onCount !== undefined);
      // A finger does not hover.
      else if (event.pointerType !== "touch") hover({ access, row });
    },
    onPointerUp: (event: PointerEvent) => {
      fingers.current.delete(event.pointerId);
      const now = gesture.current;
      // Escape during the drag has cancelled the selection.
      if (now.kind !== "drag" || !control.selection) return;
      const { from, to } = spanBetween(
        now.access,
        place(event).access,
        nAccesses,
      );
      const { counts } = control.selection;
      control.select(null);
      control.point(null);
      if (counts) control.onCount?.(from, to);
      else control.onBrush(from, to);
    },
    onPointerCancel: (event: PointerEvent) => {
      fingers.current.delete(event.pointerId);
      gesture.current = { kind: "none" };
      control.select(null);
    },
    onPointerLeave: () => {
      if (fingers.current.size === 0) control.point(null);
    },
    onClick: (event: MouseEvent) => {
      if (gesture.current.kind !== "press" || event.detail > 1) return;
      before.current = control.cursor;
      control.onSeek(place(event).access);
    },
    onDoubleClick: () => {
      control.onSeek(before.current);
      control.onReset();
    },
  };
}

/**
 * A trackpad pinch arrives as a wheel event with Ctrl; a sideways wheel pans. A plain wheel scrolls the page.
 */
function useWheel(
  control: SurfaceControl,
  surface: RefObject<HTMLDivElement | null>,
): void {
  const latest = useRef(control);
  useEffect(() => {
    latest.current = control;
  });
  useEffect(() => {
    const element = surface.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const { layout, nAccesses, zoomTo, wantedSpan } = latest.current;
      const span = wantedSpan();
      const sideways =
        event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        const x =
          event.clientX - element.getBoundingClientRect().left + layout.left;
        const factor = Math.exp(
          Math.max(-50, Math.min(50, event.deltaY)) * 0.01,
        );
        zoomTo(zoomSpan(span, accessAt(layout, span, x), factor, nAccesses));
      } else if (
        span.to - span.from < nAccesses &&
        Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)
      ) {
        const perPixel = (span.to - span.from) / (layout.right - layout.left);
        zoomTo(panSpan(span, sideways * perPixel, nAccesses));
      } else return;
      event.preventDefault();
    };
    // React's wheel listener is passive, so it could not stop the browser from zooming the page.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [surface]);
}
