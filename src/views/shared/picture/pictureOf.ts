/**
 * What is on the screen in one element as an SVG that stands alone: boxes, lines of text, drawings and canvases where
 * the browser laid them out, in the colours of the theme that is shown. It needs no style sheet, no font and no script.
 */
import { boxOf, clipOf, edgesOf, isUnseen } from "./boxes";
import type { Box } from "./boxes";
import { colour, isClear } from "./colours";
import { drawingOf } from "./drawings";
import { el } from "./elements";
import { linesOf } from "./lines";

/** Pixels of a PNG for each pixel of the screen. */
const DENSITY = 2;
/** Space around the picture, in pixels of the screen. */
const MARGIN = 8;

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** What the parts of a picture share. */
export interface Canvas {
  /** Where the picture's own corner is on the screen. */
  readonly origin: { readonly x: number; readonly y: number };
  /** What drawings refer to: patterns, clips. */
  readonly defs: SVGElement;
}

export function pictureOf(root: Element): Picture {
  const box = root.getBoundingClientRect();
  const width = Math.ceil(box.width) + 2 * MARGIN;
  const height = Math.ceil(box.height) + 2 * MARGIN;
  const svg = el("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  const defs = el("defs", {});
  const origin = { x: box.left - MARGIN, y: box.top - MARGIN };
  svg.append(defs, el("rect", { width, height, fill: groundOf(root) }));
  paint(root, svg, { origin, defs });
  if (!defs.hasChildNodes()) defs.remove();
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

/** The colour behind an element. */
function groundOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const ground = getComputedStyle(at).backgroundColor;
    if (!isClear(ground)) return colour(ground);
  }
  return "#fff";
}

function paint(element: Element, into: SVGElement, canvas: Canvas): void {
  if (element.hasAttribute("data-no-picture")) return;
  const style = getComputedStyle(element);
  if (style.display === "none") return;
  const box = boxOf(element, canvas);
  if (isUnseen(style, box)) return;
  const parent = groupFor(style, box, into, canvas);
  parent.append(...edgesOf(style, box), ...beforeOf(element, box));
  if (element instanceof SVGSVGElement) {
    parent.append(drawingOf(element, box, canvas));
  } else if (element instanceof HTMLCanvasElement) {
    const href = element.toDataURL();
    parent.append(el("image", { ...box, href, preserveAspectRatio: "none" }));
  } else {
    for (const child of element.childNodes) {
      if (child instanceof Element) paint(child, parent, canvas);
      else if (child instanceof Text)
        parent.append(...linesOf(child, style, canvas));
    }
  }
}

/** A group only where something holds of all that is in it. */
function groupFor(
  style: CSSStyleDeclaration,
  box: Box,
  into: SVGElement,
  canvas: Canvas,
): SVGElement {
  const clip = clipOf(style, box, canvas);
  if (style.opacity === "1" && clip === undefined) return into;
  const group = el("g", {
    ...(style.opacity === "1" ? {} : { opacity: style.opacity }),
    ...(clip === undefined ? {} : { "clip-path": clip }),
  });
  into.append(group);
  return group;
}

/** The box that a style sheet puts before the contents, where it is placed by itself: the line of a cursor. */
function beforeOf(element: Element, box: Box): SVGElement[] {
  const style = getComputedStyle(element, "::before");
  if (style.content !== '""' || style.position !== "absolute") return [];
  const [left, top] = [parseFloat(style.left), parseFloat(style.top)];
  const [width, height] = [parseFloat(style.width), parseFloat(style.height)];
  const numbers = [left, top, width, height];
  if (numbers.some((number) => !Number.isFinite(number))) return [];
  return edgesOf(style, { x: box.x + left, y: box.y + top, width, height });
}

export function svgOf({ svg }: Picture): Blob {
  return new Blob([svg], { type: "image/svg+xml" });
}

export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * DENSITY;
  canvas.height = height * DENSITY;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("There is no canvas.");
  context.scale(DENSITY, DENSITY);
  context.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error("The picture is too large."));
    }, "image/png");
  });
}
