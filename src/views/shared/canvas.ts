/** Canvases at the device's resolution, and the hatches of outcomes for them. */
import type { Outcome } from "../../engine/generated/Outcome";
import { outcomeToken } from "../../model/outcome";
import type { Token } from "../../model/theme";
import type { CssPixels, DevicePixels } from "../../model/units";

/** Current values of tokens, as CSS colours. */
export type Colours = (token: Token) => string;

/**
 * Sizes the backing store and clears it. The context comes back unscaled: what must be crisp is rounded to device
 * pixels by the caller. `null` where the browser has no canvas.
 */
export function sizeCanvas(
  canvas: HTMLCanvasElement,
  width: CssPixels,
  height: CssPixels,
  ratio: number,
): CanvasRenderingContext2D | null {
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  context?.clearRect(0, 0, canvas.width, canvas.height);
  return context;
}

/** The hatch of an outcome as a fill, at `ratio` device pixels per CSS pixel: what `hatch()` is to SVG. */
export function canvasHatch(
  context: CanvasRenderingContext2D,
  outcome: Outcome,
  colours: Colours,
  ratio: number,
): CanvasPattern | string {
  if (outcome === "l1-hit") return colours(outcomeToken("l1-hit", "soft"));
  const ground = colours(outcomeToken(outcome));
  const tile = document.createElement("canvas");
  const pitch: DevicePixels = Math.max(4, Math.round(6 * ratio));
  tile.width = pitch;
  tile.height = pitch;
  const pen = tile.getContext("2d");
  if (!pen) return ground;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, pitch, pitch);
  pen.fillStyle = colours("--surface");
  pen.strokeStyle = colours("--surface");
  pen.globalAlpha = 0.8;
  if (outcome === "l2-hit") dot(pen, pitch, ratio);
  else {
    pen.lineWidth = ratio;
    diagonal(pen, pitch, 1);
    if (outcome === "fault") diagonal(pen, pitch, -1);
  }
  return context.createPattern(tile, "repeat") ?? ground;
}

function dot(
  pen: CanvasRenderingContext2D,
  pitch: DevicePixels,
  ratio: number,
): void {
  pen.beginPath();
  pen.arc(pitch / 2, pitch / 2, 0.8 * ratio, 0, 2 * Math.PI);
  pen.fill();
}

/** One stripe through the tile and its continuations in two corners, so that tiles join. */
function diagonal(
  pen: CanvasRenderingContext2D,
  pitch: DevicePixels,
  slope: 1 | -1,
): void {
  const [top, bottom] = slope === 1 ? [pitch, 0] : [0, pitch];
  pen.beginPath();
  for (const shift of [0 - pitch, 0, pitch]) {
    pen.moveTo(shift, top);
    pen.lineTo(shift + pitch, bottom);
  }
  pen.stroke();
}
