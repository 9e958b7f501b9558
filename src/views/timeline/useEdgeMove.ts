/**
 * Moving a border by pointer and keys. While it moves only its place changes; the trace is run once, when the
 * pointer or the key is let go.
 */
import { useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import type { Span } from "../../model/timeline/counts";
import { accessX, borderAt } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { AccessIndex, CssPixels } from "../../model/shared/units";

/** A pointer that moves less only clicks. */
const DRAG: CssPixels = 3;
/** Parts of the span that an arrow and a page key move by. */
const STEPS = 100;
const PAGES = 10;

export interface EdgeMove {
  readonly layout: TimelineLayout;
  readonly span: Span;
  /** Where the border stands. */
  readonly at: AccessIndex;
  readonly bounds: { readonly least: AccessIndex; readonly most: AccessIndex };
  /** It was let go elsewhere. */
  readonly onMove: (to: AccessIndex) => void;
}

/** Where pointer and border were when it was taken. */
interface Grab {
  readonly pointer: CssPixels;
  readonly border: CssPixels;
}

export function useEdgeMove({ layout, span, at, bounds, onMove }: EdgeMove) {
  const [moved, setMoved] = useState<AccessIndex | null>(null);
  const [grab, setGrab] = useState<Grab | null>(null);
  const within = (to: number) =>
    Math.max(bounds.least, Math.min(to, bounds.most));
  /** `null` as long as it is a click. */
  const dragged = ({ clientX }: PointerEvent): AccessIndex | null => {
    if (!grab) return null;
    const by = clientX - grab.pointer;
    return moved === null && Math.abs(by) < DRAG
      ? null
      : within(borderAt(layout, span, grab.border + by));
  };
  const leave = (to: AccessIndex | null) => {
    setGrab(null);
    setMoved(null);
    if (to !== null && to !== at) onMove(to);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setMoved(null);
      setGrab({ pointer: event.clientX, border: accessX(layout, span, at) });
    },
    onPointerMove: (event: PointerEvent) => {
      if (grab) setMoved(dragged(event));
    },
    onPointerUp: (event: PointerEvent) => {
      if (grab) leave(dragged(event));
    },
    onPointerCancel: () => leave(null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const to = target(event.key, moved ?? at, span, bounds);
      if (to === undefined) return;
      if (!grab) setMoved(within(to));
      event.preventDefault();
      event.stopPropagation();
    },
    onKeyUp: () => {
      if (!grab) leave(moved);
    },
    onBlur: () => {
      if (!grab) leave(moved);
    },
  };
  return { moved, handlers };
}

/** Where a key takes a border, perhaps beyond its bounds; `undefined` where the key means nothing here. */
function target(
  key: string,
  from: AccessIndex,
  span: Span,
  { least, most }: EdgeMove["bounds"],
): number | undefined {
  const step = Math.max(1, Math.round((span.to - span.from) / STEPS));
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: from - step,
    ArrowDown: from - step,
    ArrowRight: from + step,
    ArrowUp: from + step,
    PageDown: from - PAGES * step,
    PageUp: from + PAGES * step,
    Home: least,
    End: most,
  };
  return targets[key];
}
