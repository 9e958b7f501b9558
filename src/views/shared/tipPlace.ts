/** The position of a tooltip next to its anchor. All numbers are CSS pixels of the viewport. */
import type { CssPixels } from "../../model/shared/units";

export interface Box {
  readonly left: CssPixels;
  readonly top: CssPixels;
  readonly width: CssPixels;
  readonly height: CssPixels;
}

export interface Extent {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** The gap between the tooltip and its anchor, which the pointer crosses to reach the tooltip. */
const GAP: CssPixels = 6;
/** The gap between the tooltip and the window's edge. */
const EDGE: CssPixels = 8;

/** `corner` is diagonal from the anchor, so that the row and the column of a table stay in sight. */
export type TipSide = "above" | "corner";

/** Above the anchor if the tooltip fits there, otherwise below or beside it; always inside the window. */
export function placeTip(
  anchor: Box,
  tip: Extent,
  viewport: Extent,
  side: TipSide = "above",
): { left: CssPixels; top: CssPixels } {
  const middle = anchor.left + anchor.width / 2;
  const right = anchor.left + anchor.width + GAP;
  const most = viewport.width - tip.width - EDGE;
  const beside =
    right <= most ? right : Math.max(EDGE, anchor.left - GAP - tip.width);
  const left =
    side === "corner" ? beside : clamp(middle - tip.width / 2, EDGE, most);
  const above = anchor.top - GAP - tip.height;
  if (above >= EDGE) return { left, top: above };
  const below = anchor.top + anchor.height + GAP;
  const lowest = viewport.height - tip.height - EDGE;
  if (below <= lowest) return { left, top: below };
  return { left: beside, top: clamp(anchor.top, EDGE, lowest) };
}

/** In an empty range the low end wins: a tooltip larger than the window shows its beginning. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
