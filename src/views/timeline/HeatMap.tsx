import { useLayoutEffect, useRef } from "react";
import type { TimelineColumns } from "../../model/timeline/counts";
import type { Band } from "../../model/timeline/bands";
import type { TimelineLayout } from "../../model/timeline/layout";
import { densityLimits } from "../../model/timeline/scale";
import { sizeCanvas } from "../shared/canvas";
import { usePixelRatio } from "../shared/useSize";
import { useTokens } from "../shared/useTokens";
import { drawHeat } from "./drawHeat";

export interface HeatMapProps {
  readonly timeline: TimelineColumns;
  readonly layout: TimelineLayout;
  readonly rows: readonly Band[];
  /** The number of accesses in the densest cell. */
  readonly densest: number;
}

/**
 * Accesses by address and time, on a canvas. It redraws for new data, a new size or a new theme, and for
 * nothing else.
 */
export function HeatMap({ timeline, layout, rows, densest }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ratio = usePixelRatio();
  const { theme, colours } = useTokens();
  const width = layout.right - layout.left;
  const height = layout.heatBottom - layout.heatTop;

  useLayoutEffect(() => {
    if (!canvas.current) return;
    const context = sizeCanvas(canvas.current, width, height, ratio);
    if (context)
      drawHeat(context, {
        timeline,
        rows,
        limits: densityLimits(densest),
        colours,
        width,
        ratio,
      });
  }, [timeline, rows, densest, colours, theme, width, height, ratio]);

  return (
    <canvas
      ref={canvas}
      className="timeline-heat"
      style={{ left: layout.left, top: layout.heatTop, width, height }}
      aria-hidden="true"
    />
  );
}
