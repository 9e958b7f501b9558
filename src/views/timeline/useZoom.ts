/** Requests for another window of the trace: one per frame, each based on the previous request. */
import { useCallback, useEffect, useRef } from "react";
import type { Span } from "../../model/timeline/counts";
import type { SurfaceProps } from "./surfaceControl";

export function useZoom({
  timeline,
  nAccesses,
  onBrush,
  onReset,
}: SurfaceProps) {
  const { from, to } = timeline.view;
  /** The requested window, while the picture still shows the previous one. */
  const wanted = useRef<Span | null>(null);
  const frame = useRef(0);

  useEffect(() => {
    wanted.current = null;
  }, [from, to]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const wantedSpan = useCallback(
    (): Span => wanted.current ?? { from, to },
    [from, to],
  );

  const zoomTo = useCallback(
    (span: Span) => {
      wanted.current = span;
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(() => {
        if (span.to - span.from >= nAccesses) onReset();
        else onBrush(span.from, span.to);
      });
    },
    [nAccesses, onBrush, onReset],
  );

  return { zoomTo, wantedSpan };
}
