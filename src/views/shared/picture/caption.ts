/** Text above a saved picture: a bold first line, and sentences that break at the picture's width. */
import { el } from "./elements";

export interface Caption {
  readonly title: string;
  readonly text: string;
}

const TITLE_PX = 15;
const TEXT_PX = 13;
const LINE_PX = 19;

/** The elements, and the height that they take, in CSS pixels. */
export function captionOf(
  { title, text }: Caption,
  { x, width }: { readonly x: number; readonly width: number },
  style: CSSStyleDeclaration,
): { readonly height: number; readonly elements: readonly SVGElement[] } {
  const measure = measurer(`${TEXT_PX}px ${style.fontFamily}`);
  const lines = [title, ...wrapped(text, width, measure)];
  const elements = lines.map((line, at) => {
    const made = el("text", {
      x,
      y: LINE_PX * (at + 1),
      fill: style.color,
      "font-family": style.fontFamily,
      "font-size": at === 0 ? TITLE_PX : TEXT_PX,
      "font-weight": at === 0 ? 600 : 400,
    });
    made.textContent = line;
    return made;
  });
  return { height: LINE_PX * (lines.length + 1) - 8, elements };
}

type Measure = (text: string) => number;

function measurer(font: string): Measure {
  const context = document.createElement("canvas").getContext("2d");
  // Without a canvas, letters are half as wide as high.
  if (!context) return (text) => (text.length * TEXT_PX) / 2;
  context.font = font;
  return (text) => context.measureText(text).width;
}

/** Breaks a text between words; a word that is too long has a line of its own. */
export function wrapped(
  text: string,
  width: number,
  measure: Measure,
): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((word) => word !== "")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && measure(longer) <= width)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
