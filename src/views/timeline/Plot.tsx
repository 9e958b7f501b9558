/** The picture: layers from the bars up to the surface that receives the pointer and the keys. */
import { memo, useEffect, useEffectEvent, useMemo, useRef } from "react";
import type { ReactNode } from "react";
import type { Span, TimelineColumns } from "../../model/timeline/counts";
import type { RunSpan } from "../../model/shared/runWindow";
import { bands } from "../../model/timeline/bands";
import { gridFor, timelineLayout } from "../../model/timeline/layout";
import type { Grid } from "../../model/timeline/layout";
import type { AccessIndex, Share } from "../../model/shared/units";
import { useSize, useTextScale } from "../shared/useSize";
import type { Size } from "../shared/useSize";
import { Axes } from "./Axes";
import { Bars } from "./Bars";
import { Cursor } from "./Cursor";
import { HeatMap } from "./HeatMap";
import { OperationMarks } from "./OperationMarks";
import { RegionLabels, RegionNames } from "./RegionLabels";
import { Uncounted } from "./Uncounted";
import { Surface } from "./Surface";
import { Unread } from "./Unread";
import { WindowEdges } from "./WindowEdges";
import type { WindowEdgesProps } from "./WindowEdges";

export interface PlotProps {
  readonly timeline: TimelineColumns | null;
  readonly nAccesses: number;
  readonly span: Span;
  readonly cursor: AccessIndex;
  readonly readTo: AccessIndex | undefined;
  /** The top of the outcome axis. */
  readonly top: Share;
  readonly densest: number;
  readonly stale: boolean;
  readonly empty: ReactNode;
  readonly compact: boolean;
  /** The simulated and the counted span, if they are not the whole trace. */
  readonly run: RunSpan | null;
  readonly initial: Size;
  readonly onSeek: (access: AccessIndex) => void;
  readonly onBrush: (from: AccessIndex, to: AccessIndex) => void;
  readonly onReset: () => void;
  readonly onCount: ((from: AccessIndex, to: AccessIndex) => void) | undefined;
  readonly onWindow: WindowEdgesProps["onChange"] | undefined;
  readonly onGrid: ((grid: Grid) => void) | undefined;
}

export function Plot(props: PlotProps) {
  const { timeline, nAccesses, span, cursor, compact, initial, onGrid } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(frame, initial);
  const text = useTextScale();
  const layout = useMemo(
    () => timelineLayout(width, height, compact, text),
    [width, height, compact, text],
  );
  const rows = useMemo(
    () =>
      bands(
        timeline?.view.regions ?? [],
        layout.heatBottom - layout.heatTop,
        layout.text,
      ),
    [timeline, layout],
  );

  const { bins, rows: wantedRows } = gridFor(width, height, compact, text);
  const report = useEffectEvent((grid: Grid) => onGrid?.(grid));
  useEffect(() => report({ bins, rows: wantedRows }), [bins, wantedRows]);

  return (
    <div
      ref={frame}
      className="timeline-plot"
      data-stale={props.stale || undefined}
    >
      <Picture
        timeline={timeline}
        from={span.from}
        to={span.to}
        readTo={props.readTo}
        top={props.top}
        densest={props.densest}
        layout={layout}
        rows={rows}
        compact={compact}
      />
      {timeline && props.run ? (
        <Uncounted layout={layout} span={span} run={props.run} />
      ) : null}
      {timeline ? null : <div className="timeline-empty">{props.empty}</div>}
      {timeline ? (
        <Cursor layout={layout} span={span} cursor={cursor} compact={compact} />
      ) : null}
      {timeline ? (
        <Surface
          timeline={timeline}
          nAccesses={nAccesses}
          cursor={cursor}
          layout={layout}
          rows={rows}
          onSeek={props.onSeek}
          onBrush={props.onBrush}
          onReset={props.onReset}
          onCount={props.onCount}
        />
      ) : null}
      {timeline && props.run && props.onWindow ? (
        <WindowEdges
          layout={layout}
          span={span}
          run={props.run}
          nAccesses={nAccesses}
          onChange={props.onWindow}
        />
      ) : null}
    </div>
  );
}

interface PictureProps extends Pick<
  PlotProps,
  "timeline" | "readTo" | "top" | "densest" | "compact"
> {
  readonly from: AccessIndex;
  readonly to: AccessIndex;
  readonly layout: ReturnType<typeof timelineLayout>;
  readonly rows: ReturnType<typeof bands>;
}

/** Everything that does not change while only the cursor moves. */
const Picture = memo(function Picture({
  timeline,
  from,
  to,
  readTo,
  top,
  densest,
  layout,
  rows,
  compact,
}: PictureProps) {
  const span = { from, to };
  return (
    <>
      <svg
        className="timeline-svg"
        width={layout.width}
        height={layout.height}
        aria-hidden="true"
      >
        <Bars timeline={timeline} layout={layout} top={top} />
        {timeline ? (
          <OperationMarks timeline={timeline} layout={layout} />
        ) : null}
        <Axes layout={layout} span={span} top={top} compact={compact} />
      </svg>
      {timeline ? (
        <HeatMap
          timeline={timeline}
          layout={layout}
          rows={rows}
          densest={densest}
        />
      ) : null}
      {timeline && compact ? <RegionNames rows={rows} layout={layout} /> : null}
      {timeline && !compact ? (
        <RegionLabels
          rows={rows}
          layout={layout}
          pageSize={timeline.view.page_size}
        />
      ) : null}
      {readTo !== undefined && readTo < to ? (
        <Unread layout={layout} span={span} readTo={readTo} />
      ) : null}
    </>
  );
});
