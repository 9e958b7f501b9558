import type { RunSpan } from "../../model/shared/runWindow";
import type { Span } from "../../model/timeline/counts";
import { accessX } from "../../model/timeline/layout";
import type { TimelineLayout } from "../../model/timeline/layout";

export interface UncountedProps {
  readonly layout: TimelineLayout;
  /** The window that the timeline shows. */
  readonly span: Span;
  readonly run: RunSpan;
}

/** Marks accesses that are not counted: those that only warm up, and those that are not simulated. */
export function Uncounted({ layout, span, run }: UncountedProps) {
  const { simulated, counted } = run;
  const parts = [
    { from: 0, to: simulated.from, kind: "skipped", word: "not simulated" },
    { from: simulated.from, to: counted.from, kind: "warm", word: "warm-up" },
    {
      from: counted.to,
      to: Infinity,
      kind: "skipped",
      word: "not simulated",
    },
  ] as const;
  const { barsTop, heatBottom } = layout;
  return parts.map(({ from, to, kind, word }) => {
    const [first, last] = [Math.max(from, span.from), Math.min(to, span.to)];
    if (first >= last) return null;
    const left = accessX(layout, span, first);
    const width = accessX(layout, span, last) - left;
    return (
      <div
        key={from}
        className={`timeline-uncounted ${kind}`}
        style={{
          left,
          width,
          top: kind === "warm" ? 0 : barsTop,
          height: kind === "warm" ? barsTop + 12 : heatBottom - barsTop,
        }}
      >
        {width > word.length * 8 ? <span>{word}</span> : null}
      </div>
    );
  });
}
