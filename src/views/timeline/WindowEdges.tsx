/**
 * Handles on the borders of the counted part: drag them, or use the arrow keys, to set warm-up and window.
 */
import { useState } from "react";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { count } from "../../model/shared/format";
import {
  edgeAt,
  edgeBounds,
  moveEdge,
  runSpan,
} from "../../model/shared/runWindow";
import type { Edge, RunSpan } from "../../model/shared/runWindow";
import type { Span } from "../../model/timeline/counts";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";
import { useEdgeMove } from "./useEdgeMove";

export interface WindowEdgesProps {
  readonly layout: TimelineLayout;
  /** The window that the timeline shows. */
  readonly span: Span;
  readonly run: RunSpan;
  readonly nAccesses: number;
  /** A returned promise settles when the change is on the screen, or has failed. */
  readonly onChange: (window: RunWindow | undefined) => unknown;
}

const NAMES: Readonly<Record<Edge, string>> = {
  warm: "Warm-up begins",
  count: "Counting begins",
  end: "Counting ends",
};

const EDGES: readonly Edge[] = ["warm", "count", "end"];

export function WindowEdges(props: WindowEdgesProps) {
  const { span, nAccesses } = props;
  const { run, onChange } = useRequested(props);
  return EDGES.filter((edge) => {
    const at = edgeAt(run, edge);
    return at >= span.from && at <= span.to;
  }).map((edge) => (
    <Handle
      key={edge}
      {...props}
      run={run}
      edge={edge}
      onMove={(to) => onChange(moveEdge(run, edge, to, nAccesses))}
    />
  ));
}

/** The borders as last requested. The next move starts there, even if the engine has not finished. */
function useRequested({ run, nAccesses, onChange }: WindowEdgesProps) {
  const [requested, setRequested] = useState<RunSpan | null>(null);
  if (
    requested &&
    EDGES.every((edge) => edgeAt(requested, edge) === edgeAt(run, edge))
  )
    setRequested(null);
  return {
    run: requested ?? run,
    onChange: (window: RunWindow | undefined) => {
      const done = onChange(window);
      if (!(done instanceof Promise)) return;
      const next = runSpan(window, nAccesses);
      setRequested(next);
      const settle = () => setRequested((now) => (now === next ? null : now));
      void done.then(settle, settle);
    },
  };
}

interface HandleProps extends WindowEdgesProps {
  readonly edge: Edge;
  readonly onMove: (to: number) => void;
}

function Handle({ layout, span, run, nAccesses, edge, onMove }: HandleProps) {
  const { least, most } = edgeBounds(run, edge, nAccesses);
  // The handle stays inside the window.
  const bounds = {
    least: Math.max(least, span.from),
    most: Math.min(most, span.to),
  };
  const at = edgeAt(run, edge);
  const { moved, handlers } = useEdgeMove({ layout, span, at, bounds, onMove });
  const shown = moved ?? at;
  return (
    <div
      className={`timeline-edge ${edge}`}
      style={{
        left: accessX(layout, span, shown),
        height: layout.heatBottom,
      }}
      role="slider"
      tabIndex={0}
      aria-label={NAMES[edge]}
      aria-valuemin={bounds.least}
      aria-valuemax={bounds.most}
      aria-valuenow={shown}
      aria-valuetext={`access ${count(shown)}`}
      title={`${NAMES[edge]} at ${count(shown)}: drag it`}
      data-dragged={moved === null ? undefined : true}
      {...handlers}
    >
      <span>{moved === null ? "" : count(moved)}</span>
    </div>
  );
}
