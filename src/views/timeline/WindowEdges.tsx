/** Handles on the borders of what is counted: drag them, or move them with the arrow keys, to set warm-up and window. */
import { useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { count } from "../../model/format";
import { edgeAt, moveEdge } from "../../model/runWindow";
import type { Edge, RunSpan } from "../../model/runWindow";
import type { Span } from "../../model/timeline";
import { accessAt, accessX } from "../../model/timelineLayout";
import type { TimelineLayout } from "../../model/timelineLayout";

export interface WindowEdgesProps {
  readonly layout: TimelineLayout;
  /** What the timeline shows. */
  readonly span: Span;
  readonly run: RunSpan;
  readonly nAccesses: number;
  readonly onChange: (window: RunWindow | undefined) => void;
}

const NAMES: Readonly<Record<Edge, string>> = {
  warm: "Warm-up begins",
  count: "Counting begins",
  end: "Counting ends",
};

const EDGES: readonly Edge[] = ["warm", "count", "end"];

export function WindowEdges(props: WindowEdgesProps) {
  const { span, run } = props;
  return EDGES.filter((edge) => {
    const at = edgeAt(run, edge);
    return at >= span.from && at <= span.to;
  }).map((edge) => <Handle key={edge} {...props} edge={edge} />);
}

function Handle(props: WindowEdgesProps & { readonly edge: Edge }) {
  const { layout, span, run, nAccesses, edge, onChange } = props;
  /** Where it is being dragged to. */
  const [dragged, setDragged] = useState<number | null>(null);
  const at = edgeAt(run, edge);
  const shown = dragged ?? at;
  const place = (event: PointerEvent) => {
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    return accessAt(layout, span, event.clientX - (frame?.left ?? 0));
  };
  const move = (to: number) => {
    if (to !== at) onChange(moveEdge(run, edge, to, nAccesses));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = Math.max(1, Math.round((span.to - span.from) / 100));
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey)
      return;
    move(at + by);
    event.preventDefault();
    event.stopPropagation();
  };
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
      aria-valuemin={0}
      aria-valuemax={nAccesses}
      aria-valuenow={at}
      aria-valuetext={`access ${count(at)}`}
      title={`${NAMES[edge]} at ${count(at)}: drag it`}
      data-dragged={dragged === null ? undefined : true}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(at);
      }}
      onPointerMove={(event) => {
        if (dragged !== null) setDragged(place(event));
      }}
      onPointerUp={(event) => {
        if (dragged === null) return;
        setDragged(null);
        move(place(event));
      }}
      onPointerCancel={() => setDragged(null)}
    >
      <span>{dragged === null ? "" : count(dragged)}</span>
    </div>
  );
}
