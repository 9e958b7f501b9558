/**
 * Turns an element of the page into a standalone SVG: boxes, text lines, drawings and canvases at their
 * positions, in the colours of the current theme. It needs no style sheet, font or script.
 */
import { boxOf, clipOf, edgesOf, isUnseen } from "./boxes";
import type { Box } from "./boxes";
import { captionOf } from "./caption";
import type { Caption } from "./caption";
import { colour, isClear } from "./colours";
import { drawingOf } from "./drawings";
import { el } from "./elements";
import { linesOf } from "./lines";
import type { Canvas } from "./canvas";

/** PNG pixels per CSS pixel. */
const DENSITY = 2;
/** The margin around the picture in CSS pixels. */
const MARGIN = 8;
/** The distance of the caption from the picture's edge, as in panels. */
const GUTTER = 16;

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

export interface PictureExtras {
  readonly caption?: Caption | undefined;
  /** Leaves the background out. */
  readonly clear?: boolean;
}

export function pictureOf(
  root: Element,
  { caption, clear = false }: PictureExtras = {},
): Picture {
  const box = root.getBoundingClientRect();
  const width = Math.ceil(box.width) + 2 * MARGIN;
  const above =
    caption &&
    captionOf(
      caption,
      { x: MARGIN + GUTTER, width: box.width - 2 * GUTTER },
      getComputedStyle(root),
    );
  const top = above?.height ?? 0;
  const height = Math.ceil(box.height) + 2 * MARGIN + top;
  const ground = groundOf(root);
  const svg = el("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  const defs = el("defs", {});
  const origin = { x: box.left - MARGIN, y: box.top - MARGIN - top };
  svg.append(defs);
  if (!clear) svg.append(el("rect", { width, height, fill: ground }));
  svg.append(...(above?.elements ?? []));
  paint(root, svg, { origin, defs, ...(clear && { clear: ground }) });
  if (!defs.hasChildNodes()) defs.remove();
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

/** The background colour behind an element. */
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
  const edges = edgesOf(style, box);
  for (const edge of edges)
    if (edge.getAttribute("fill") === canvas.clear)
      edge.setAttribute("fill", "none");
  parent.append(...edges, ...beforeOf(element, box));
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

/** Creates a group only if a style applies to all its content. */
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

/** The `::before` box if it has its own position, such as the line of a cursor. */
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
  if (!context) throw new Error("This browser has no canvas.");
  context.scale(DENSITY, DENSITY);
  context.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error("The picture is too large."));
    }, "image/png");
  });
}
