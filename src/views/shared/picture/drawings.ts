/** Copies an SVG of the page into a picture: CSS styles become attributes, and its patterns are included. */
import type { Box } from "./boxes";
import { colour } from "./colours";
import type { Canvas } from "./canvas";

/** Inherited CSS properties, with their default values. */
const INHERITED: Readonly<Record<string, string>> = {
  fill: "rgb(0, 0, 0)",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-opacity": "1",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "font-family": "",
  "font-size": "",
  "font-style": "normal",
  "font-weight": "400",
  "letter-spacing": "normal",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  "paint-order": "normal",
  visibility: "visible",
};

/** CSS properties that are not inherited, with their default values. */
const OWN: Readonly<Record<string, string>> = {
  opacity: "1",
  display: "inline",
  "vector-effect": "none",
  "clip-path": "none",
  mask: "none",
};

export function drawingOf(
  drawing: SVGSVGElement,
  box: Box,
  canvas: Canvas,
): SVGElement {
  const copy = styled(drawing, INHERITED, canvas);
  for (const [name, value] of Object.entries(box))
    copy.setAttribute(name, String(Math.round(value * 100) / 100));
  if (getComputedStyle(drawing).overflow === "visible")
    copy.setAttribute("overflow", "visible");
  return copy;
}

type Values = Readonly<Record<string, string>>;

/** Copies an element with its descendants; values inherited from the parent are not repeated. */
function styled(original: SVGElement, parent: Values, canvas: Canvas) {
  const copy = original.cloneNode(false) as SVGElement;
  for (const name of ["class", "style", "tabindex", "role"])
    copy.removeAttribute(name);
  const style = getComputedStyle(original);
  const values: Record<string, string> = {};
  for (const [name, before] of Object.entries(parent)) {
    const value = attributeValue(style.getPropertyValue(name), canvas);
    values[name] = value === "" ? before : value;
    copy.removeAttribute(name);
    if (values[name] !== before) copy.setAttribute(name, values[name]);
  }
  for (const [name, initial] of Object.entries(OWN)) {
    const value = attributeValue(style.getPropertyValue(name), canvas);
    if (name === "display" && value !== "none") continue;
    if (value !== "" && value !== initial) copy.setAttribute(name, value);
  }
  for (const child of original.childNodes) {
    if (child instanceof SVGElement && !child.hasAttribute("data-no-picture"))
      copy.append(styled(child, values, canvas));
    else if (child instanceof Text) copy.append(child.data);
  }
  return copy;
}

/** The value of a style as an attribute; definitions that it refers to are included. */
function attributeValue(value: string, canvas: Canvas): string {
  const id = /^url\(["']?#([^"')]+)["']?\)/.exec(value)?.[1];
  if (id === undefined) return colour(value);
  bring(id, canvas);
  return `url(#${id})`;
}

function bring(id: string, canvas: Canvas): void {
  if (canvas.defs.querySelector(`#${CSS.escape(id)}`)) return;
  const found = document.getElementById(id);
  // The drawing's own definitions are copied with it, but may follow their first use.
  if (found instanceof SVGElement)
    canvas.defs.append(styled(found, INHERITED, canvas));
}
