/** Colours in a form that every program reads: colours mixed by CSS become `rgb()`. */

const known = new Map<string, string>();

export function isClear(value: string): boolean {
  return value === "transparent" || /^rgba\(.*,\s*0\)$/.test(value);
}

/** Keeps `rgb()` and `rgba()`; draws other notations and reads the pixel. */
export function colour(value: string): string {
  if (!/^(color|ok|lab|lch|hwb)/.test(value)) return value;
  const found = known.get(value);
  if (found !== undefined) return found;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context) return value;
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 255] = context.getImageData(0, 0, 1, 1).data;
  const made = `rgba(${r}, ${g}, ${b}, ${(a / 255).toFixed(3)})`;
  known.set(value, made);
  return made;
}
