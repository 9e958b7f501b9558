/**
 * The canvas of a large array, with a slider over the sets: arrow keys and clicks choose the set that is
 * opened.
 */
import { useLayoutEffect, useRef } from "react";
import type { KeyboardEvent, MouseEvent } from "react";
import { entryAt, placeAt } from "../../model/tlb/array";
import type { CssPixels } from "../../model/shared/units";
import { sizeCanvas } from "../shared/canvas";
import { usePixelRatio } from "../shared/useSize";
import { useTip } from "../shared/useTip";
import { useTokens } from "../shared/useTokens";
import type { ArrayPicture } from "./arrayPicture";
import { drawMap } from "./drawMap";
import { entryTip } from "./entryTip";

export interface MapCanvasProps extends ArrayPicture {
  readonly width: CssPixels;
  readonly height: CssPixels;
  /** The space on the left for row labels. */
  readonly gutter: CssPixels;
  /** The index of the opened part among `parts`: sets, or pieces of a large set. */
  readonly part: number;
  readonly parts: number;
  /** The opened part in words. */
  readonly text: string;
  readonly onPart: (part: number) => void;
}

export function MapCanvas({
  view,
  content,
  layout,
  event,
  shown,
  onPick,
  onDrop,
  picked,
  width,
  height,
  gutter,
  part,
  parts,
  text,
  onPart,
}: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ratio = usePixelRatio();
  const { theme, colours } = useTokens();
  const { show, hide, dismiss, tip } = useTip();

  useLayoutEffect(() => {
    if (!canvas.current) return;
    const pen = sizeCanvas(canvas.current, width, height, ratio);
    if (pen) drawMap(pen, { view, content, layout, event, shown, colours });
    // `theme` stands for the values behind `colours`.
  }, [
    view,
    content,
    layout,
    event,
    shown,
    colours,
    theme,
    width,
    height,
    ratio,
  ]);

  const onKeyDown = (key: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: part - 1,
      ArrowDown: part - 1,
      ArrowRight: part + 1,
      ArrowUp: part + 1,
      PageDown: part - 16,
      PageUp: part + 16,
      Home: 0,
      End: parts - 1,
    };
    const to = moves[key.key];
    if (to !== undefined) onPart(Math.min(Math.max(to, 0), parts - 1));
    else if (key.key === "Escape" && picked) onDrop();
    else return;
    // Arrow keys also step the replay, so they must not propagate from here.
    key.preventDefault();
    key.stopPropagation();
  };
  const placeUnder = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect();
    return placeAt(
      view,
      layout,
      Math.floor(((clientX - box.left) / box.width) * layout.columns),
      Math.floor(((clientY - box.top) / box.height) * layout.rows),
    );
  };
  const entryUnder = (pointer: MouseEvent) => {
    const place = placeUnder(pointer);
    return place && entryAt(content, view.ways, place.set, place.way);
  };
  return (
    <>
      <div
        className="tlb-map-canvas"
        style={{ marginInlineStart: gutter, height }}
        role="slider"
        tabIndex={0}
        aria-label={`Set of ${view.name}`}
        aria-valuemin={0}
        aria-valuemax={parts - 1}
        aria-valuenow={part}
        aria-valuetext={text}
        onKeyDown={onKeyDown}
        onPointerMove={(pointer) => {
          const entry = entryUnder(pointer);
          const { clientX: left, clientY: top } = pointer;
          if (entry)
            show({ left, top, width: 1, height: 1 }, entryTip(entry), "corner");
          else hide();
        }}
        onPointerLeave={hide}
        onClick={(click) => {
          dismiss();
          const place = placeUnder(click);
          if (place) onPick(place.set, entryUnder(click)?.way ?? null);
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      {tip}
    </>
  );
}
