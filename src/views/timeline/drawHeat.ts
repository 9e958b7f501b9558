/**
 * Draws the cells of address over time. The ground shows density. A mark is a walk, a fault or an exception, always on
 * the lightest shade, so that it keeps its contrast. All coordinates are device pixels.
 */
import { outcomeToken } from "../../model/shared/outcome";
import { HEAT } from "../../model/shared/theme";
import { binSpan } from "../../model/timeline/counts";
import type { TimelineColumns } from "../../model/timeline/counts";
import type { Band } from "../../model/timeline/bands";
import { densityStep } from "../../model/timeline/scale";
import type { CssPixels, DevicePixels, Share } from "../../model/shared/units";
import type { Colours } from "../shared/canvas";

export interface Heat {
  readonly timeline: TimelineColumns;
  readonly rows: readonly Band[];
  /** The largest density of each shade. */
  readonly limits: readonly number[];
  readonly colours: Colours;
  readonly width: CssPixels;
  readonly ratio: number;
}

/** The part of a canvas context that is used; tests pass a recorder. */
export type Brush = Pick<CanvasRenderingContext2D, "fillStyle" | "fillRect">;

interface Row {
  /** The index of the first cell in the columns. */
  readonly at: number;
  readonly top: DevicePixels;
  readonly height: DevicePixels;
}

export function drawHeat(brush: Brush, heat: Heat): void {
  const edges = binEdges(heat);
  const grounds = HEAT.map((token) => heat.colours(token));
  for (const band of heat.rows) {
    const top = Math.round(band.top * heat.ratio);
    brush.fillStyle = grounds[0] ?? "";
    brush.fillRect(
      0,
      top,
      Math.round(heat.width * heat.ratio),
      Math.round((band.top + band.height) * heat.ratio) - top,
    );
  }
  const rows = heat.rows.flatMap((band) => rowsOf(band, heat));
  for (let step = 1; step < grounds.length; step += 1) {
    brush.fillStyle = grounds[step] ?? "";
    for (const row of rows) drawGround(brush, heat, row, edges, step);
  }
  drawMarks(brush, heat, rows, edges);
}

/** The left edge of each bin, and the right edge of the last. */
function binEdges({ timeline: { view }, width, ratio }: Heat): DevicePixels[] {
  const scale = (width * ratio) / Math.max(1, view.to - view.from);
  const edges: DevicePixels[] = [0];
  for (let bin = 0; bin < view.bins; bin += 1) {
    edges.push(Math.round((binSpan(view, bin).to - view.from) * scale));
  }
  return edges;
}

function rowsOf(
  { region, top, height }: Band,
  { timeline, ratio }: Heat,
): Row[] {
  const rowHeight = (height * ratio) / region.rows;
  return Array.from({ length: region.rows }, (_, i) => {
    const start = Math.round(top * ratio + i * rowHeight);
    return {
      at: (region.first_row + i) * timeline.view.bins,
      top: start,
      height: Math.max(
        1,
        Math.round(top * ratio + (i + 1) * rowHeight) - start,
      ),
    };
  });
}

/** Adjacent cells of the same shade are one rectangle. */
function drawGround(
  brush: Brush,
  heat: Heat,
  row: Row,
  edges: readonly DevicePixels[],
  step: number,
): void {
  const { bins } = heat.timeline.view;
  let start = -1;
  for (let bin = 0; bin <= bins; bin += 1) {
    const here = bin < bins && groundStep(heat, row.at + bin) === step;
    if (here && start === -1) start = bin;
    if (here || start === -1) continue;
    const left = edges[start] ?? 0;
    brush.fillRect(left, row.top, (edges[bin] ?? left) - left, row.height);
    start = -1;
  }
}

function groundStep({ timeline, limits }: Heat, at: number): number {
  const step = densityStep(timeline.density[at] ?? 0, limits);
  const { cellWalks, cellFaults, cellExceptions } = timeline;
  const marked = [cellWalks, cellFaults, cellExceptions].some(
    (column) => (column[at] ?? 0) > 0,
  );
  return marked ? 1 : step;
}

/**
 * A walk is a bar in the left half of its cell; a fault fills the cell except its right edge; an exception is a bar in
 * the right half. They differ without colour. A bar is wider if more than half of the accesses have its outcome, and
 * fills the cell if all have it. A fault is drawn over a walk, since it is rarer and more expensive.
 */
function drawMarks(
  brush: Brush,
  heat: Heat,
  rows: readonly Row[],
  edges: readonly DevicePixels[],
): void {
  const { timeline, ratio, colours } = heat;
  const { bins } = timeline.view;
  const gap = Math.max(1, Math.round(ratio));
  const least = Math.round(2 * ratio);
  const marks = [
    { column: timeline.cellWalks, outcome: "walk", share: 0.5 },
    { column: timeline.cellFaults, outcome: "fault", share: 1 },
    { column: timeline.cellExceptions, outcome: "exception", share: 0.5 },
  ] as const;
  for (const { column, outcome, share } of marks) {
    brush.fillStyle = colours(outcomeToken(outcome));
    for (const row of rows) {
      for (let bin = 0; bin < bins; bin += 1) {
        const n = column[row.at + bin] ?? 0;
        if (n === 0) continue;
        const left = edges[bin] ?? 0;
        const cell = (edges[bin + 1] ?? left) - left;
        const width = Math.max(
          1,
          Math.min(least, cell),
          Math.round((cell - gap) * share),
          outcome === "fault"
            ? 0
            : Math.round(cell * shareOf(timeline, row.at + bin, n)),
        );
        const x = outcome === "exception" ? left + cell - width : left;
        brush.fillRect(x, row.top, width, Math.max(row.height, least));
      }
    }
  }
}

/** The share of a cell's accesses; an access over two pages can have two walks. */
function shareOf({ density }: TimelineColumns, at: number, n: number): Share {
  return Math.min(1, n / Math.max(1, density[at] ?? 0));
}
