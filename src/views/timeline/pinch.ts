/** Pinch gestures on the timeline. */
import type { Span } from "../../model/timeline/counts";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { AccessIndex, CssPixels } from "../../model/shared/units";

/** Each finger stays over the access that it touched first. */
export interface Finger {
  x: CssPixels;
  readonly access: AccessIndex;
}

/** Below this distance between the fingers, the width is unreliable. */
const LEAST: CssPixels = 12;

/** The window in which each finger is over its access; `null` for fewer than two fingers, or crossed ones. */
export function pinchSpan(
  fingers: readonly Finger[],
  layout: TimelineLayout,
  nAccesses: number,
): Span | null {
  const [a, b] = fingers.toSorted((one, other) => one.access - other.access);
  if (!a || !b || b.x - a.x < LEAST || b.access <= a.access) return null;
  const perPixel = (b.access - a.access) / (b.x - a.x);
  const width = Math.min(
    nAccesses,
    Math.max(1, Math.round(perPixel * (layout.right - layout.left))),
  );
  const from = Math.round(a.access - perPixel * (a.x - layout.left));
  const start = Math.max(0, Math.min(nAccesses - width, from));
  return { from: start, to: start + width };
}
