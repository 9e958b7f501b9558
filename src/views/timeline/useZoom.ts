/** Requests for another window of the trace: one a frame, each continuing from the one before. */
import { useCallback, useEffect, useRef } from "react";
import type { Span } from "../../model/timeline/counts";
import type { SurfaceProps } from "./Surface";

export function useZoom({
  timeline,
  nAccesses,
  onBrush,
  onReset,
}: SurfaceProps) {
  const { from, to } = timeline.view;
  /** Asked for, while the picture still shows the window before. */
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
