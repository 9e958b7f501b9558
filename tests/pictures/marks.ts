/**
 * The marks of an SVG picture with their places, in its own units. Nothing is measured by a
 * browser: the extent of a text is estimated from its number of characters.
 */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Mark extends Box {
  readonly element: Element;
  /** The kind: a box can contain other marks, a line connects two marks, a text is read. */
  readonly kind: "box" | "line" | "text";
  /** The visible text; empty for shapes. */
  readonly text: string;
  /** The points that a line passes, from its start to its end; without its Bézier handles. */
  readonly points: readonly Point[];
}

type Point = readonly [x: number, y: number];

/** The estimated width of a character in pixels. It is small, so an overlap that is found exists in every font. */
const CHARACTER = 5.2;
const ASCENT = 8;

/** Width and height of a picture: its `viewBox`, or its size. */
export function sizeOf(svg: Element): { width: number; height: number } {
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "").split(" ");
  return {
    width: Number(width ?? svg.getAttribute("width")),
    height: Number(height ?? svg.getAttribute("height")),
  };
}

export function marksOf(svg: Element): Mark[] {
  return [...svg.querySelectorAll("rect, circle, line, path, text")]
    .filter((element) => element.closest("defs") === null)
    .map((element) => {
      const mark = markOf(element);
      const points = mark.points.map((point) => placed(element, point));
      return { ...mark, points, ...extent(points), element };
    })
    .map((mark) => (mark.kind === "text" ? withWidth(mark) : mark));
}

/** Returns whether `inner` is within `outer`, with a tolerance of `slack` pixels. */
export function within(inner: Box, outer: Box, slack = 1): boolean {
  return (
    inner.left >= outer.left - slack &&
    inner.right <= outer.right + slack &&
    inner.top >= outer.top - slack &&
    inner.bottom <= outer.bottom + slack
  );
}

export function overlap(a: Box, b: Box, slack = 0): boolean {
  return (
    a.left < b.right - slack &&
    b.left < a.right - slack &&
    a.top < b.bottom - slack &&
    b.top < a.bottom - slack
  );
}

export const centre = ({ left, right, top, bottom }: Box): Point => [
  (left + right) / 2,
  (top + bottom) / 2,
];

type Shape = Pick<Mark, "kind" | "text" | "points">;

function markOf(element: Element): Shape {
  const number = (name: string) => Number(element.getAttribute(name) ?? 0);
  const x = number("x");
  const y = number("y");
  switch (element.tagName) {
    case "rect":
      return {
        kind: "box",
        text: "",
        points: [
          [x, y],
          [x + number("width"), y + number("height")],
        ],
      };
    case "circle": {
      const [cx, cy, r] = [number("cx"), number("cy"), number("r")];
      return {
        kind: "box",
        text: "",
        points: [
          [cx - r, cy - r],
          [cx + r, cy + r],
        ],
      };
    }
    case "line":
      return {
        kind: "line",
        text: "",
        points: [
          [number("x1"), number("y1")],
          [number("x2"), number("y2")],
        ],
      };
    case "text":
      return {
        kind: "text",
        text: element.textContent.trim(),
        points: [[x, y]],
      };
    default:
      return {
        kind: "line",
        text: "",
        points: pathPoints(element.getAttribute("d") ?? ""),
      };
  }
}

/** The end points of the commands of a path. */
export function pathPoints(d: string): Point[] {
  const points: Point[] = [];
  let [x, y] = [0, 0];
  for (const [, command = "", list = ""] of d.matchAll(
    /([MLHVCAZ])([^MLHVCAZ]*)/gi,
  )) {
    const numbers = (list.match(/-?(?:\d*\.\d+|\d+)(?:e-?\d+)?/g) ?? []).map(
      Number,
    );
    const name = command.toUpperCase();
    const relative = command !== name;
    const length = { H: 1, V: 1, M: 2, L: 2, C: 6, A: 7 }[name];
    for (let at = 0; length && at + length <= numbers.length; at += length) {
      const last = numbers[at + length - 1] ?? NaN;
      const before = numbers[at + length - 2] ?? NaN;
      const [ox, oy] = relative ? [x, y] : [0, 0];
      if (name === "V") y = oy + last;
      else if (name === "H") x = ox + last;
      else [x, y] = [ox + before, oy + last];
      points.push([x, y]);
    }
  }
  return points;
}

function extent(points: readonly Point[]): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

function withWidth(mark: Mark): Mark {
  const width = mark.text.length * CHARACTER;
  const anchor = mark.element.getAttribute("text-anchor");
  const share = anchor === "end" ? 1 : anchor === "middle" ? 0.5 : 0;
  const shift = 14 * Number.parseFloat(mark.element.getAttribute("dy") ?? "0");
  const left = mark.left - width * share;
  const bottom = mark.bottom + shift;
  return { ...mark, left, right: left + width, top: bottom - ASCENT, bottom };
}

/** Converts a point of an element to the units of the picture, with all `transform`s of its ancestors. */
function placed(element: Element, point: Point): Point {
  const transform = element.getAttribute("transform") ?? "";
  const steps = [...transform.matchAll(/(\w+)\(([^)]*)\)/g)].reverse();
  const own = steps.reduce(([x, y]: Point, [, name, list = ""]): Point => {
    const [a = 0, b = 0] = list.split(/[\s,]+/).map(Number);
    if (name === "translate") return [x + a, y + b];
    if (name === "scale") return [x * a, y * a];
    const [sin, cos] = [
      Math.sin((a * Math.PI) / 180),
      Math.cos((a * Math.PI) / 180),
    ];
    return [x * cos - y * sin, x * sin + y * cos];
  }, point);
  const parent = element.parentElement;
  return parent === null || element.tagName === "svg"
    ? own
    : placed(parent, own);
}
