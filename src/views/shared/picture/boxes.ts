/** Boxes of HTML: their positions in the picture, backgrounds, borders, and clipping. */
import { colour, isClear } from "./colours";
import { el } from "./elements";
import type { Canvas } from "./canvas";

/** In CSS pixels from the picture's corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function boxOf(element: Element, { origin }: Canvas): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left - origin.x, y: top - origin.y, width, height };
}

/** Whether the element is transparent or only for screen readers. */
export function isUnseen(style: CSSStyleDeclaration, box: Box): boolean {
  const cutsOff = style.overflow !== "visible";
  return (
    style.visibility === "hidden" ||
    style.opacity === "0" ||
    (cutsOff && style.display !== "contents" && box.width * box.height <= 1)
  );
}

/** A reference to the clip path of a box that hides its overflow. */
export function clipOf(
  style: CSSStyleDeclaration,
  box: Box,
  { defs }: Canvas,
): string | undefined {
  if (style.overflow === "visible" || style.display === "inline")
    return undefined;
  const id = `cut-${defs.childElementCount}`;
  const clip = el("clipPath", { id });
  clip.append(el("rect", { ...box }));
  defs.append(clip);
  return `url(#${id})`;
}

const SIDES = ["top", "right", "bottom", "left"] as const;

/** The background and the borders of a box. */
export function edgesOf(style: CSSStyleDeclaration, box: Box): SVGElement[] {
  if (box.width <= 0 || box.height <= 0 || style.display === "contents")
    return [];
  const ground = style.backgroundColor;
  const fill = isClear(ground) ? "none" : colour(ground);
  const borders = SIDES.map((side) => borderOf(style, side));
  const [first] = borders;
  const radius = parseFloat(style.borderTopLeftRadius) || 0;
  const same = borders.every(
    (each) => each?.width === first?.width && each?.paint === first?.paint,
  );
  if (same && first) {
    const half = first.width / 2;
    return [
      el("rect", {
        x: box.x + half,
        y: box.y + half,
        width: Math.max(0, box.width - first.width),
        height: Math.max(0, box.height - first.width),
        rx: Math.max(0, radius - half),
        fill,
        stroke: first.paint,
        "stroke-width": first.width,
        ...(first.dashes === "" ? {} : { "stroke-dasharray": first.dashes }),
      }),
    ];
  }
  const parts =
    fill === "none" ? [] : [el("rect", { ...box, rx: radius, fill })];
  SIDES.forEach((side, at) => {
    const border = borders[at];
    if (border) parts.push(lineOf(side, box, border));
  });
  return parts;
}

interface Border {
  readonly width: number;
  readonly paint: string;
  readonly dashes: string;
}

function borderOf(
  style: CSSStyleDeclaration,
  side: (typeof SIDES)[number],
): Border | undefined {
  const width = parseFloat(style.getPropertyValue(`border-${side}-width`));
  const kind = style.getPropertyValue(`border-${side}-style`);
  const paint = style.getPropertyValue(`border-${side}-color`);
  if (!(width > 0) || kind === "none" || isClear(paint)) return undefined;
  const dashes =
    kind === "dashed"
      ? `${3 * width} ${2 * width}`
      : kind === "dotted"
        ? `${width}`
        : "";
  return { width, paint: colour(paint), dashes };
}

function lineOf(
  side: (typeof SIDES)[number],
  { x, y, width, height }: Box,
  border: Border,
): SVGElement {
  const half = border.width / 2;
  const [right, bottom] = [x + width, y + height];
  const ends = {
    top: { x1: x, y1: y + half, x2: right, y2: y + half },
    right: { x1: right - half, y1: y, x2: right - half, y2: bottom },
    bottom: { x1: x, y1: bottom - half, x2: right, y2: bottom - half },
    left: { x1: x + half, y1: y, x2: x + half, y2: bottom },
  }[side];
  return el("line", {
    ...ends,
    stroke: border.paint,
    "stroke-width": border.width,
    ...(border.dashes === "" ? {} : { "stroke-dasharray": border.dashes }),
  });
}
