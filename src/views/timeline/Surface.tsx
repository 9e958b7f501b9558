/**
 * The surface over the picture that takes the pointer and the keys: one tab stop, a slider whose value is an access.
 * A *mark* is what is pointed at, by either; a *selection* is a window in the making.
 */
import { useCallback, useRef, useState } from "react";
import { count, range } from "../../model/shared/format";
import { binOf, binSpan } from "../../model/timeline/counts";
import type { Span, TimelineColumns } from "../../model/timeline/counts";
import { rowBox } from "../../model/timeline/bands";
import type { Band } from "../../model/timeline/bands";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import { binSentence, cellSentence } from "../../model/timeline/text";
import type { AccessIndex, RowIndex } from "../../model/shared/units";
import { useTip } from "../shared/useTip";
import { MarkTip } from "./MarkTip";
import { useKeys } from "./useKeys";
import { usePointer } from "./usePointer";
import { useZoom } from "./useZoom";

/** A bin, by its first access, so that it survives a zoom; with a row, a cell. */
export interface Mark {
  readonly access: AccessIndex;
  readonly row: RowIndex | null;
}

/** Both ends are in it, in either order. */
export interface Selection {
  readonly anchor: AccessIndex;
  readonly end: AccessIndex;
  /** It chooses what is counted, not what is shown. */
  readonly counts?: boolean;
}

export interface SurfaceProps {
  readonly timeline: TimelineColumns;
  readonly nAccesses: number;
  readonly cursor: AccessIndex;
  readonly layout: TimelineLayout;
  readonly rows: readonly Band[];
  readonly onSeek: (access: AccessIndex) => void;
  readonly onBrush: (from: AccessIndex, to: AccessIndex) => void;
  readonly onReset: () => void;
  /** Counts only this part of the trace; `to` is not in it. */
  readonly onCount: ((from: AccessIndex, to: AccessIndex) => void) | undefined;
}

/** What the pointer and the keys share. */
export interface SurfaceControl extends SurfaceProps {
  readonly mark: Mark | null;
  readonly selection: Selection | null;
  /** Points at something, or at nothing. */
  readonly point: (mark: Mark | null) => void;
  readonly select: (selection: Selection | null) => void;
  /** Asks for a window at the next frame; repeated calls between frames are one. */
  readonly zoomTo: (span: Span) => void;
  /** The window shown or asked for last. */
  readonly wantedSpan: () => Span;
}

export function Surface(props: SurfaceProps) {
  const { timeline, cursor, layout, rows } = props;
  const { view } = timeline;
  const surface = useRef<HTMLDivElement>(null);
  const [mark, setMark] = useState<Mark | null>(null);
  const [selection, select] = useState<Selection | null>(null);
  const { show, hide, dismiss, tip } = useTip();
  const { zoomTo, wantedSpan } = useZoom(props);

  const point = useCallback(
    (next: Mark | null) => {
      setMark(next);
      if (!next || !surface.current) hide();
      else
        show(
          anchorOf(next, surface.current, timeline, layout),
          <MarkTip timeline={timeline} mark={next} />,
        );
    },
    [timeline, layout, show, hide],
  );

  const control: SurfaceControl = {
    ...props,
    mark,
    selection,
    point,
    select,
    zoomTo,
    wantedSpan,
  };
  const pointer = usePointer(control, surface, dismiss);
  const keys = useKeys(control, dismiss);

  return (
    <>
      {mark && !selection ? (
        <MarkFrame mark={mark} view={timeline} layout={layout} rows={rows} />
      ) : null}
      {selection ? (
        <SelectionFrame selection={selection} span={view} layout={layout} />
      ) : null}
      <div
        ref={surface}
        className="timeline-surface"
        role="slider"
        tabIndex={0}
        aria-label="Access, over the outcomes of the trace"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, props.nAccesses - 1)}
        aria-valuenow={mark?.access ?? cursor}
        aria-valuetext={valueText(timeline, cursor, mark, selection)}
        style={{
          left: layout.left,
          width: layout.right - layout.left,
          height: layout.heatBottom + 4,
        }}
        {...pointer}
        {...keys}
      />
      {tip}
    </>
  );
}

function valueText(
  timeline: TimelineColumns,
  cursor: AccessIndex,
  mark: Mark | null,
  selection: Selection | null,
): string {
  if (selection)
    return `selected ${ordered(selection)}, Enter zooms, C counts only this`;
  if (!mark) return `access ${count(cursor)}`;
  const bin = binOf(timeline.view, mark.access);
  return mark.row === null
    ? binSentence(timeline, bin)
    : cellSentence(timeline, bin, mark.row);
}

function ordered({ anchor, end }: Selection): string {
  return range(Math.min(anchor, end), Math.max(anchor, end));
}

/** The bin's column from the top of the picture down: the tooltip then stands above it and covers none of it. */
function anchorOf(
  mark: Mark,
  surface: Element,
  { view }: TimelineColumns,
  layout: TimelineLayout,
) {
  const box = surface.getBoundingClientRect();
  const { from, to } = binSpan(view, binOf(view, mark.access));
  const left = accessX(layout, view, from) - layout.left;
  const width = accessX(layout, view, to) - layout.left - left;
  return { left: box.left + left, top: box.top, width, height: box.height };
}

interface MarkFrameProps {
  readonly mark: Mark;
  readonly view: TimelineColumns;
  readonly layout: TimelineLayout;
  readonly rows: readonly Band[];
}

/** An ink outline around the bar or the cell that is pointed at. */
function MarkFrame({ mark, view: { view }, layout, rows }: MarkFrameProps) {
  const { from, to } = binSpan(view, binOf(view, mark.access));
  const left = accessX(layout, view, from);
  const row = mark.row === null ? null : rowBox(rows, mark.row);
  const top = row ? layout.heatTop + row.top : layout.barsTop;
  const height = row ? row.height : layout.barsBottom - layout.barsTop;
  return (
    <div
      className="timeline-mark"
      style={{ left, top, width: accessX(layout, view, to) - left, height }}
    />
  );
}

interface SelectionFrameProps {
  readonly selection: Selection;
  readonly span: Span;
  readonly layout: TimelineLayout;
}

function SelectionFrame({ selection, span, layout }: SelectionFrameProps) {
  const left = accessX(layout, span, Math.min(selection.anchor, selection.end));
  const right = accessX(
    layout,
    span,
    Math.max(selection.anchor, selection.end) + 1,
  );
  const inside = (x: number) =>
    Math.max(layout.left, Math.min(layout.right, x));
  return (
    <div
      className="timeline-selection"
      style={{
        left: inside(left),
        width: inside(right) - inside(left),
        height: layout.heatBottom,
      }}
    >
      <span>
        {selection.counts ? "count " : ""}
        {ordered(selection)}
      </span>
    </div>
  );
}
