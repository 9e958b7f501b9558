/** Draws the map of a large array on any canvas. */
import type { StructureView } from "../../engine/generated/StructureView";
import { ageScale, isOther, placeAt, positionOf } from "../../model/tlb/array";
import type { ArrayColumns, ArrayLayout } from "../../model/tlb/array";
import type { ArrayEvent } from "../../model/tlb/event";
import { outcomeToken } from "../../model/shared/outcome";
import type { Colours } from "../shared/canvas";
import { isHidden } from "./arrayPicture";
import type { Shown } from "./ArrayTitle";

export interface MapContent {
  readonly view: StructureView;
  readonly content: ArrayColumns;
  readonly layout: ArrayLayout;
  readonly event: ArrayEvent;
  readonly shown: Shown;
  readonly colours: Colours;
}

/** Opacity by age, recent first. */
const INK = [0.95, 0.75, 0.55, 0.4] as const;

export function drawMap(
  pen: CanvasRenderingContext2D,
  { view, content, layout, event, shown, colours }: MapContent,
): void {
  const { width, height } = pen.canvas;
  const { columns, rows } = layout;
  pen.fillStyle = colours("--sunken");
  pen.fillRect(0, 0, width, height);
  const xs = Array.from({ length: columns + 1 }, (_, at) =>
    Math.round((at * width) / columns),
  );
  const ys = Array.from({ length: rows + 1 }, (_, at) =>
    Math.round((at * height) / rows),
  );
  // A gap of one pixel between slots, if they are large enough to show it.
  const gapX = width / columns >= 3 ? 1 : 0;
  const gapY = height / rows >= 3 ? 1 : 0;
  const age = ageScale(content);
  const ink = colours("--text-3");
  const draw = (column: number, row: number, hollow: boolean) => {
    const x = xs[column] ?? 0;
    const y = ys[row] ?? 0;
    const w = Math.max(1, (xs[column + 1] ?? x) - x - gapX);
    const h = Math.max(1, (ys[row + 1] ?? y) - y - gapY);
    if (hollow && w > 2 && h > 2)
      pen.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    else pen.fillRect(x, y, w, h);
  };
  pen.fillStyle = ink;
  pen.strokeStyle = ink;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const place = placeAt(view, layout, column, row);
      if (!place) continue;
      const slot = place.set * view.ways + place.way;
      const keyShift = content.keyShift[slot] ?? 0;
      const table = isOther(content.table[slot]);
      if (keyShift === 0 || isHidden({ table, keyShift }, shown)) continue;
      pen.globalAlpha = INK[age(content.usedAt[slot] ?? 0)];
      draw(column, row, table);
    }
  pen.globalAlpha = 1;
  const drawSlot = (set: number, way: number, hollow: boolean) => {
    const { column, row } = positionOf(layout, set, way);
    draw(column, row, hollow);
  };
  const removed = colours("--text");
  pen.fillStyle = removed;
  pen.strokeStyle = removed;
  for (const { set, way } of event.removed) drawSlot(set, way, true);
  const mark = colours(outcomeToken(event.outcome));
  pen.fillStyle = mark;
  pen.strokeStyle = mark;
  if (event.table) drawSlot(event.table.set, event.table.way, true);
  if (event.set !== null && event.way !== null)
    drawSlot(event.set, event.way, false);
}
