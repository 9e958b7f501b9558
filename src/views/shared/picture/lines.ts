/**
 * HTML text as lines of SVG text. Each line keeps its width in the browser, so another font does not change
 * the layout.
 */
import { colour } from "./colours";
import { el } from "./elements";
import type { Canvas } from "./canvas";

interface Line {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

export function linesOf(
  node: Text,
  style: CSSStyleDeclaration,
  { origin }: Canvas,
): SVGElement[] {
  return placed(node).map((line) => {
    const words = node.data.slice(line.from, line.to).replaceAll(/\s+/g, " ");
    const width = line.right - line.left;
    const made = el("text", {
      x: line.left - origin.x,
      y: line.top - origin.y + baseline(style, line.height),
      fill: colour(style.color),
      "font-family": style.fontFamily,
      "font-size": style.fontSize,
      "font-weight": style.fontWeight,
      ...(style.fontStyle === "normal"
        ? {}
        : { "font-style": style.fontStyle }),
      ...(style.textDecorationLine === "line-through"
        ? { "text-decoration": "line-through" }
        : {}),
      ...(words.length > 1 && width > 0 ? { textLength: width } : {}),
    });
    made.textContent = cased(words, style.textTransform);
    return made;
  });
}

function cased(words: string, transform: string): string {
  if (transform === "uppercase") return words.toUpperCase();
  if (transform === "lowercase") return words.toLowerCase();
  return words;
}

/** Finds the position of each line from its words; broken words are measured letter by letter. */
function placed(node: Text): Line[] {
  const lines: Line[] = [];
  const range = document.createRange();
  const add = (from: number, to: number): boolean => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    const [rect] = rects;
    if (!rect) return true;
    if (rects.length > 1) return false;
    const last = lines.at(-1);
    if (
      last &&
      Math.abs(last.top - rect.top) < 2 &&
      rect.left >= last.right - 1
    )
      lines[lines.length - 1] = { ...last, to, right: rect.right };
    else {
      const { left, right, top, height } = rect;
      lines.push({ from, to, left, right, top, height });
    }
    return true;
  };
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    if (add(index, index + word.length)) continue;
    for (let at = index; at < index + word.length; at++) add(at, at + 1);
  }
  return lines;
}

let measure: CanvasRenderingContext2D | null | undefined;

/** The distance from the top of a line's box to its baseline. */
function baseline(style: CSSStyleDeclaration, height: number): number {
  measure ??= document.createElement("canvas").getContext("2d");
  if (!measure) return 0.8 * height;
  const { fontStyle, fontWeight, fontSize, fontFamily } = style;
  measure.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } =
    measure.measureText("x");
  return (height - up - down) / 2 + up;
}
