/** Two fingers on the timeline. */
import type { Span } from "../../model/timeline/counts";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { AccessIndex, CssPixels } from "../../model/shared/units";

/** A finger holds the access that it touched first. */
export interface Finger {
  x: CssPixels;
  readonly access: AccessIndex;
}

/** Closer together than this they say nothing of a width. */
const LEAST: CssPixels = 12;

/** The window in which each finger is over the access that it holds; `null` for fewer than two or crossed fingers. */
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
