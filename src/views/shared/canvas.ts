/** Canvases at the device's resolution. */
import type { Token } from "../../model/shared/theme";
import type { CssPixels } from "../../model/shared/units";

/** Returns the current value of a token, as a CSS colour. */
export type Colours = (token: Token) => string;

/**
 * Sizes the canvas and clears it. The context is unscaled: the caller rounds to device pixels for sharp
 * lines. `null` if the browser has no canvas.
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
