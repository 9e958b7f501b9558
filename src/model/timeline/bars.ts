/** The bars of outcome over time as SVG paths. */
import { binCounts, binSpan } from "./counts";
import type { TimelineColumns } from "./counts";
import { accessX } from "./layout";
import type { TimelineLayout } from "./layout";
import type { CssPixels, Share } from "../shared/units";

/** The outcomes with their own area, from the baseline up. */
export type Stacked = "exception" | "fault" | "walk" | "l2-hit";
export const STACK: readonly Stacked[] = [
  "exception",
  "fault",
  "walk",
  "l2-hit",
];

/** One SVG path per outcome, a rectangle per bin; bars that are taller than the axis end at its top. */
export function barPaths(
  timeline: TimelineColumns,
  layout: TimelineLayout,
  top: Share,
): Record<Stacked, string> {
  const { view } = timeline;
  const scale = (layout.barsBottom - layout.barsTop) / top;
  const paths: Record<Stacked, string> = {
    exception: "",
    fault: "",
    walk: "",
    "l2-hit": "",
  };
  for (let bin = 0; bin < view.bins; bin += 1) {
    const { translations, outcomes } = binCounts(timeline, bin);
    if (translations === 0) continue;
    const { from, to } = binSpan(view, bin);
    const [x, width] = inset(
      accessX(layout, view, from),
      accessX(layout, view, to),
    );
    let y = layout.barsBottom;
    for (const outcome of STACK) {
      const next = Math.max(
        layout.barsTop,
        y - (outcomes[outcome] / translations) * scale,
      );
      if (y - next > 0.005)
        paths[outcome] += rectangle(x, next, width, y - next);
      y = next;
    }
  }
  return paths;
}

/** The middle of each bin whose bar is cut off. */
export function cutBars(
  timeline: TimelineColumns,
  layout: TimelineLayout,
  top: Share,
): CssPixels[] {
  const { view } = timeline;
  const cut: CssPixels[] = [];
  for (let bin = 0; bin < view.bins; bin += 1) {
    const { translations, outcomes } = binCounts(timeline, bin);
    if (
      translations === 0 ||
      (translations - outcomes["l1-hit"]) / translations <= top
    )
      continue;
    const { from, to } = binSpan(view, bin);
    cut.push((accessX(layout, view, from) + accessX(layout, view, to)) / 2);
  }
  return cut;
}

/** A hairline between neighbours that are wide enough. */
function inset(
  left: CssPixels,
  right: CssPixels,
): [x: CssPixels, width: CssPixels] {
  const width = right - left;
  return width >= 3 ? [left + 0.35, width - 0.7] : [left, width];
}

function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
): string {
  return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
}

/** Rounds to hundredths of a pixel. */
function short(n: number): string {
  return String(Math.round(n * 100) / 100);
}
