/**
 * Moves a border by pointer and keys. Only the border moves at first; the trace runs once, when the pointer
 * or the key is released.
 */
import { useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import type { Span } from "../../model/timeline/counts";
import { accessX, borderAt } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { AccessIndex, CssPixels } from "../../model/shared/units";

/** A pointer that moves less than this only clicks. */
const DRAG: CssPixels = 3;
/** Arrow keys move by 1/STEPS of the span, page keys by 1/PAGES. */
const STEPS = 100;
const PAGES = 10;

export interface EdgeMove {
  readonly layout: TimelineLayout;
  readonly span: Span;
  /** The position of the border. */
  readonly at: AccessIndex;
  readonly bounds: { readonly least: AccessIndex; readonly most: AccessIndex };
  /** The user released the border at another access. */
  readonly onMove: (to: AccessIndex) => void;
}

/** Where the pointer and the border were at the press. */
interface Grab {
  readonly pointer: CssPixels;
  readonly border: CssPixels;
}

export function useEdgeMove({ layout, span, at, bounds, onMove }: EdgeMove) {
  const [moved, setMoved] = useState<AccessIndex | null>(null);
  const [grab, setGrab] = useState<Grab | null>(null);
  const within = (to: number) =>
    Math.max(bounds.least, Math.min(to, bounds.most));
  /** `null` if the press is still a click. */
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

/** Where a key moves a border, possibly beyond its bounds; `undefined` if the key has no meaning here. */
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
