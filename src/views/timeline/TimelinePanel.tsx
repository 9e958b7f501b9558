/** The whole panel: outcome over time, address over time, and their header. */
import { memo, useMemo } from "react";
import type { ReactNode } from "react";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { runSpan, windowOf } from "../../model/shared/runWindow";
import { densityMax, hasExceptions } from "../../model/timeline/counts";
import type { Span, TimelineColumns } from "../../model/timeline/counts";
import { axisEnd, barsAbove, cropFor } from "../../model/timeline/scale";
import type { Crop } from "../../model/timeline/scale";
import type { Grid } from "../../model/timeline/layout";
import type { AccessIndex, CssPixels, Share } from "../../model/shared/units";
import { useChoice } from "../shared/choices";
import { SavePicture } from "../shared/picture/SavePicture";
import { ProgressBar } from "../shared/Progress";
import { Plot } from "./Plot";
import { TimelineHeader } from "./TimelineHeader";
import { WindowControl } from "./WindowControl";
import "./timeline.css";
import "./plot.css";
import "./counted.css";
import "./cursor.css";

const CROPS = ["crop", "full", "fine"] as const;

const loadCsv = () => import("../../model/timeline/csv");

export interface TimelinePanelProps {
  /** `null` before the first run: the axes are drawn, with `empty` in the middle. */
  readonly timeline: TimelineColumns | null;
  /** The number of accesses in the whole trace. */
  readonly nAccesses: number;
  /** The current access of the replay. */
  readonly cursor: AccessIndex;
  /** Accesses before this one are simulated; missing if all are. */
  readonly readTo?: AccessIndex | undefined;
  /** Whether the configuration has changed since the run: the picture is then drawn at half strength. */
  readonly stale?: boolean;
  /** A run or a query in progress. */
  readonly progress?:
    | { readonly label: string; readonly done: number; readonly total?: number }
    | undefined;
  /** A sentence and an optional button for the empty picture. */
  readonly empty?: ReactNode;
  /** Whether the timeline of this trace is being computed, and the picture is empty until then. */
  readonly isLoading?: boolean;
  /** What the timeline is limited to, and how to show everything again. */
  readonly only?:
    { readonly label: string; readonly onAll: () => void } | undefined;
  /** The top of the cropped axis, if other charts share it. */
  readonly cropTo?: Share | undefined;
  /** The phone layout: no labels on the left, a short header. */
  readonly compact?: boolean;
  /** The simulated and counted part of the trace, and how to change it. */
  readonly counting?:
    | {
        readonly window: RunWindow | undefined;
        /** A returned promise settles when the change is on the screen, or has failed. */
        readonly onChange: (window: RunWindow | undefined) => unknown;
      }
    | undefined;
  /** Controls at the right end of the header. */
  readonly actions?: ReactNode;
  /** The size of the picture before it is measured. */
  readonly width?: CssPixels;
  readonly height?: CssPixels;
  readonly onSeek: (access: AccessIndex) => void;
  /** Shows another window of the trace; `to` is exclusive. */
  readonly onBrush: (from: AccessIndex, to: AccessIndex) => void;
  /** Shows the whole trace. */
  readonly onReset: () => void;
  /** Jumps to the next operation. */
  readonly onNextOperation?: (() => void) | undefined;
  /** Reports the resolution that fits the picture, first and at every change. */
  readonly onGrid?: ((grid: Grid) => void) | undefined;
}

export function TimelinePanel({
  timeline,
  nAccesses,
  cursor,
  readTo,
  stale = false,
  progress,
  empty,
  isLoading = false,
  only,
  cropTo,
  compact = false,
  counting,
  actions,
  width = compact ? 358 : 1408,
  height = compact ? 156 : 226,
  onSeek,
  onBrush,
  onReset,
  onNextOperation,
  onGrid,
}: TimelinePanelProps) {
  const [choice = "crop", setChoice] = useChoice<Crop>("axis", CROPS);
  const own = useMemo(() => (timeline ? cropFor(timeline) : 1), [timeline]);
  const cropped = cropTo ?? own;
  const { value: end, top } = axisEnd(cropped, choice);
  const cut = useMemo(
    () => (timeline ? barsAbove(timeline, top) : 0),
    [timeline, top],
  );
  const densest = useMemo(
    () => (timeline ? densityMax(timeline) : 0),
    [timeline],
  );
  const run = counting?.window ? runSpan(counting.window, nAccesses) : null;
  const span: Span = timeline?.view ?? { from: 0, to: nAccesses };

  return (
    <section
      className="timeline"
      aria-label="Outcome over time"
      data-compact={compact || undefined}
      data-picture=""
      aria-busy={isLoading}
    >
      {progress ? <ProgressBar {...progress} /> : null}
      <PanelHeader
        timeline={timeline}
        nAccesses={nAccesses}
        choice={end}
        cropped={cropped}
        cut={cut}
        onCrop={setChoice}
        densest={densest}
        only={only}
        readTo={readTo}
        compact={compact}
        counting={counting}
        actions={actions}
        onReset={onReset}
        onNextOperation={onNextOperation}
      />
      <Plot
        timeline={timeline}
        nAccesses={nAccesses}
        span={span}
        cursor={cursor}
        readTo={readTo}
        top={top}
        densest={densest}
        stale={stale}
        empty={empty}
        compact={compact}
        run={run}
        initial={{ width, height }}
        onSeek={onSeek}
        onBrush={onBrush}
        onReset={onReset}
        onCount={
          counting &&
          ((from, to) => {
            counting.onChange(
              windowOf({ from, to }, nAccesses, counting.window),
            );
          })
        }
        onWindow={counting?.onChange}
        onGrid={onGrid}
      />
    </section>
  );
}

interface PanelHeaderProps extends Pick<
  TimelinePanelProps,
  | "timeline"
  | "nAccesses"
  | "only"
  | "readTo"
  | "counting"
  | "actions"
  | "onReset"
  | "onNextOperation"
> {
  readonly choice: Crop;
  readonly cropped: Share;
  readonly cut: number;
  readonly onCrop: (choice: Crop) => void;
  readonly densest: number;
  readonly compact: boolean;
}

/** The header does not show the cursor, so it stays as it is while the replay plays. */
const PanelHeader = memo(function PanelHeader(props: PanelHeaderProps) {
  const { timeline, nAccesses, only, readTo, counting, actions } = props;
  const { choice, cropped, cut, onCrop, densest, compact } = props;
  const span: Span = timeline?.view ?? { from: 0, to: nAccesses };
  return (
    <TimelineHeader
      crop={{ choice, cropped, cut, onChange: onCrop }}
      densest={densest}
      span={span}
      whole={span.to - span.from >= nAccesses}
      only={only}
      partial={readTo !== undefined && readTo < nAccesses}
      compact={compact}
      exceptions={timeline !== null && hasExceptions(timeline)}
      actions={
        <>
          {counting && nAccesses > 0 ? (
            <WindowControl {...counting} nAccesses={nAccesses} span={span} />
          ) : null}
          {actions}
          {timeline ? (
            <SavePicture
              what="Outcome over time"
              tables={[
                {
                  of: "bins",
                  csv: async () => (await loadCsv()).binsCsv(timeline),
                },
                {
                  of: "cells",
                  csv: async () => (await loadCsv()).cellsCsv(timeline),
                },
              ]}
            />
          ) : null}
        </>
      }
      onReset={props.onReset}
      onNextOperation={
        timeline?.operations.some((n) => n > 0)
          ? props.onNextOperation
          : undefined
      }
    />
  );
});
