/** The mark and the selection of the timeline, and how pointer and keys change them. */
import type { Span, TimelineColumns } from "../../model/timeline/counts";
import type { Band } from "../../model/timeline/bands";
import type { TimelineLayout } from "../../model/timeline/layout";
import type { AccessIndex, RowIndex } from "../../model/shared/units";

/** A bin, identified by its first access so that it survives a zoom; with a row, a cell. */
export interface Mark {
  readonly access: AccessIndex;
  readonly row: RowIndex | null;
}

/** Both ends are inclusive and may be in either order. */
export interface Selection {
  readonly anchor: AccessIndex;
  readonly end: AccessIndex;
  /** Whether the selection chooses what is counted, and not what is shown. */
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
  /** Counts only this part of the trace; `to` is exclusive. */
  readonly onCount: ((from: AccessIndex, to: AccessIndex) => void) | undefined;
}

/** The state that pointer and keys share. */
export interface SurfaceControl extends SurfaceProps {
  readonly mark: Mark | null;
  readonly selection: Selection | null;
  /** Sets or clears the mark. */
  readonly point: (mark: Mark | null) => void;
  readonly select: (selection: Selection | null) => void;
  /** Asks for a window at the next frame; calls between two frames are merged. */
  readonly zoomTo: (span: Span) => void;
  /** The window that is shown, or that was asked for last. */
  readonly wantedSpan: () => Span;
}
