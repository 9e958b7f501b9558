/**
 * The surface over the picture that receives the pointer and the keys: one tab stop, a slider whose value is
 * an access. A *mark* is the bin or the cell under the pointer or the keys; a *selection* is a window in
 * progress.
 */
import { useCallback, useContext, useRef, useState } from "react";
import { count, range } from "../../model/shared/format";
import { binOf, binSpan } from "../../model/timeline/counts";
import type { Span, TimelineColumns } from "../../model/timeline/counts";
import { rowBox } from "../../model/timeline/bands";
import type { Band } from "../../model/timeline/bands";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import { binSentence, cellSentence } from "../../model/timeline/text";
import type { AccessIndex } from "../../model/shared/units";
import { SecondLevelContext } from "../shared/outcomeWords";
import { useTip } from "../shared/useTip";
import { MarkTip } from "./MarkTip";
import { useKeys } from "./useKeys";
import { usePointer } from "./usePointer";
import { useZoom } from "./useZoom";
import type {
  Mark,
  Selection,
  SurfaceControl,
  SurfaceProps,
} from "./surfaceControl";

export function Surface(props: SurfaceProps) {
  const second = useContext(SecondLevelContext);
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
        aria-valuetext={valueText(timeline, cursor, mark, selection, second)}
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
  second: string,
): string {
  if (selection)
    return `selected ${ordered(selection)}, Enter zooms, C counts only this`;
  if (!mark) return `access ${count(cursor)}`;
  const bin = binOf(timeline.view, mark.access);
  return mark.row === null
    ? binSentence(timeline, bin, second)
    : cellSentence(timeline, bin, mark.row, second);
}

function ordered({ anchor, end }: Selection): string {
  return range(Math.min(anchor, end), Math.max(anchor, end));
}

/** The bin's column from the top of the picture, so that the tooltip is above it and covers nothing. */
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

/** An outline around the marked bar or cell. */
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
