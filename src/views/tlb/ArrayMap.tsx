/**
 * A large array as a map without text, on a canvas: columns are sets, rows are ways. One set is
 * opened below: the one that the access belongs to, or the one that the user chose.
 */
import { useLayoutEffect, useRef } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import {
  ageScale,
  entryAt,
  placeAt,
  positionOf,
  usedSlots,
} from "../../model/tlb";
import { sizeCanvas } from "../shared/canvas";
import { usePixelRatio, useSize } from "../shared/useSize";
import { useTip } from "../shared/useTip";
import { useTokens } from "../shared/useTokens";
import type { ArrayPicture } from "./arrayPicture";
import { drawMap } from "./drawMap";
import { entryTip } from "./entryTip";
import { MapAxes } from "./MapAxes";
import { SetStrip } from "./SetStrip";

export interface ArrayMapProps extends ArrayPicture {
  readonly tall: boolean;
  readonly phone: boolean;
}

const GUTTER = 44;

export function ArrayMap(props: ArrayMapProps) {
  const { view, content, layout, event, picked, shown, onPick, tall, phone } =
    props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame, { width: 680, height: 80 });
  const ratio = usePixelRatio();
  const { theme, colours } = useTokens();
  const { show, hide, dismiss, tip } = useTip();
  const { columns, rows, fold } = layout;
  const gutter = phone ? 0 : GUTTER;
  const width = Math.max(size.width - gutter, 200);
  const least = tall ? 120 : 48;
  const most = tall ? 220 : 80;
  const height = Math.round(
    Math.min(Math.max(rows * (tall ? 12 : 6.6), least), most),
  );

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

  const windows = Math.ceil(view.ways / WINDOW);
  const focusWay = picked?.way ?? event.way ?? 0;
  const set = picked?.set ?? event.set ?? 0;
  const open = Math.floor(focusWay / WINDOW);
  const choose = (value: number) => {
    const next = Math.min(Math.max(value, 0), view.sets * windows - 1);
    onPick(
      Math.floor(next / windows),
      windows > 1 ? (next % windows) * WINDOW : null,
    );
  };
  const value = set * windows + open;
  const onKeyDown = (key: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: value - 1,
      ArrowDown: value - 1,
      ArrowRight: value + 1,
      ArrowUp: value + 1,
      PageDown: value - 16,
      PageUp: value + 16,
      Home: 0,
      End: view.sets * windows - 1,
    };
    const to = moves[key.key];
    if (to === undefined) return;
    choose(to);
    key.preventDefault();
    key.stopPropagation();
  };
  const placeUnder = (pointer: PointerEvent<HTMLElement>) => {
    const box = pointer.currentTarget.getBoundingClientRect();
    const column = Math.floor(
      ((pointer.clientX - box.left) / box.width) * columns,
    );
    const row = Math.floor(((pointer.clientY - box.top) / box.height) * rows);
    return placeAt(view, layout, column, row);
  };
  const isEmptySet = event.set === null && picked === null;
  const used = usedSlots({
    ...content,
    keyShift: content.keyShift.subarray(set * view.ways, (set + 1) * view.ways),
  });
  const x = (column: number) => gutter + (column / columns) * width;
  const spot = positionOf(layout, set, focusWay);
  return (
    <div className={phone ? "tlb-map tlb-map-bare" : "tlb-map"} ref={frame}>
      <div
        className="tlb-map-canvas"
        style={{ marginInlineStart: gutter, height }}
        role="slider"
        tabIndex={0}
        aria-label={`Set of ${view.name}`}
        aria-valuemin={0}
        aria-valuemax={view.sets * windows - 1}
        aria-valuenow={value}
        aria-valuetext={`set ${set}: ${used} of ${view.ways} ways in use`}
        onKeyDown={onKeyDown}
        onPointerMove={(pointer) => {
          const at = placeUnder(pointer);
          const entry = at && entryAt(content, view.ways, at.set, at.way);
          if (entry)
            show(
              {
                left: pointer.clientX,
                top: pointer.clientY,
                width: 1,
                height: 1,
              },
              entryTip(entry),
            );
          else hide();
        }}
        onPointerLeave={hide}
        onClick={(click) => {
          dismiss();
          const box = click.currentTarget.getBoundingClientRect();
          const column = Math.floor(
            ((click.clientX - box.left) / box.width) * columns,
          );
          const row = Math.floor(
            ((click.clientY - box.top) / box.height) * rows,
          );
          const at = placeAt(view, layout, column, row);
          if (at)
            onPick(
              at.set,
              entryAt(content, view.ways, at.set, at.way) ? at.way : null,
            );
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      <MapAxes
        view={view}
        layout={layout}
        width={gutter + width}
        gutter={gutter}
        height={height}
        set={isEmptySet ? null : set}
        column={spot.column}
      />
      {isEmptySet && !phone ? (
        <p className="tlb-none">
          {event.what === "other-size"
            ? "asked with the others: it holds no pages of this size"
            : "not asked by this access"}
          ; choose a set to open it
        </p>
      ) : null}
      {isEmptySet || phone ? null : (
        <SetStrip
          {...props}
          set={set}
          from={open * WINDOW}
          to={Math.min((open + 1) * WINDOW, view.ways)}
          age={ageScale(content)}
          left={x(fold === 1 ? set : spot.column)}
          right={x(fold === 1 ? set + 1 : spot.column + 1)}
          gutter={gutter}
          width={gutter + width}
        />
      )}
      {tip}
    </div>
  );
}

/** Ways that are opened at a time. */
const WINDOW = 16;
