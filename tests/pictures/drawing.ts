/**
 * An SVG picture as lines of text: its marks in reading order, as boxes within boxes. A box is
 * written `class[what lies in it]` with ` / ` between its rows, `×3` counts equal neighbours,
 * `*bold*`, `~faint~`, `text{ink-walk}` is a text in a colour. Lines and large shapes are counted
 * after the rows, and outlines are written with the texts that they surround.
 */
import { centre, marksOf, within } from "./marks";
import type { Mark } from "./marks";

interface Node {
  readonly mark: Mark;
  readonly parts: Node[];
}

/** The largest distance in pixels between the middles of two marks of one row. */
const ROW = 7;
/** The largest length of a box in one line. The parts of a longer box get separate lines. */
const LONG = 120;
/** Classes that name a font, not a meaning. */
const FONTS =
  /^(mono|xs|m|index|large|order|entry|physical|value|bit|nested-(name|number|sum))$/;
/** Classes of outlines around other marks. */
const OUTLINE = /^(tlb-(set|picked|gone|cursor)|nested-chosen)$/;
const TONES: Readonly<Record<string, string>> = {
  b: "*",
  faint: "~",
  quiet: "",
};

export function drawingLines(svg: Element): string[] {
  // Elements with an accessible name are listed separately, with their role.
  // What is only there to be lit is not drawn.
  const drawn = marksOf(svg).filter(
    ({ element }) => !/^lit-/.test(element.getAttribute("class") ?? ""),
  );
  const marks = drawn.filter(
    ({ element, kind, text }) =>
      !element.hasAttribute("aria-label") && (kind !== "text" || text !== ""),
  );
  const isOutline = ({ element }: Mark) =>
    [...element.classList].some((each) => OUTLINE.test(each));
  const nodes = marks
    .filter((mark) => !isOutline(mark))
    .map((mark): Node => ({ mark, parts: [] }));
  const roots = nodes.filter((node) => {
    const outer = holderOf(node, nodes);
    outer?.parts.push(node);
    return outer === null;
  });
  const outlines = marks.filter(isOutline).map((outline) => {
    const texts = marks.filter(
      (mark) => mark.kind === "text" && isAt(mark, outline),
    );
    const around = texts.map(({ text }) => text).join(", ");
    return `${inkOf(outline)}${around === "" ? "" : ` around ${around}`}`;
  });
  return [...linesOf(roots), ...outlines];
}

/** Returns whether a mark is in a box. The middle of a text decides, because its width is only estimated. */
function isAt(mark: Mark, box: Mark): boolean {
  const [x, y] = centre(mark);
  const spot = { left: x, right: x, top: y, bottom: y };
  return within(mark.kind === "text" ? spot : mark, box);
}

/** The smallest box around a mark. */
function holderOf({ mark }: Node, nodes: readonly Node[]): Node | null {
  return nodes
    .filter(
      (each) =>
        each.mark.kind === "box" &&
        (mark.kind === "text" || area(each.mark) > area(mark)) &&
        isAt(mark, each.mark),
    )
    .reduce<Node | null>(
      (best, each) =>
        best !== null && area(best.mark) <= area(each.mark) ? best : each,
      null,
    );
}

const area = ({ left, right, top, bottom }: Mark) =>
  (right - left) * (bottom - top);

/** Returns whether a mark is a line, or a shape that is listed after the rows. */
const isLoose = ({ mark: { kind, left, right, top, bottom } }: Node) =>
  kind === "line" &&
  (right - left > 14 || bottom - top > 14 || right - left < 3);

/** Returns the rows from top to bottom. A mark that is too long for its row follows the row, indented. */
function linesOf(nodes: readonly Node[]): string[] {
  const lines = rowsOf(nodes.filter((node) => !isLoose(node))).flatMap(
    (row) => {
      const words = row.map(wordOf);
      const long = row.filter((_, at) => (words[at] ?? "").length > LONG);
      const short = words.filter((word) => word.length <= LONG);
      return [
        ...(short.length > 0 ? [joined(short)] : []),
        ...long.flatMap((node) => [
          `${inkOf(node.mark)}:`,
          ...linesOf(node.parts).map((line) => `  ${line}`),
        ]),
      ];
    },
  );
  const loose = nodes.filter(isLoose).map(({ mark }) => inkOf(mark));
  return [...lines, ...(loose.length > 0 ? [joined(loose)] : [])];
}

function rowsOf(nodes: readonly Node[]): Node[][] {
  const y = ({ mark }: Node) => centre(mark)[1];
  const x = ({ mark }: Node) => centre(mark)[0];
  const rows: Node[][] = [];
  for (const node of [...nodes].sort((a, b) => y(a) - y(b))) {
    const row = rows.at(-1);
    if (row?.[0] && y(node) - y(row[0]) < ROW) row.push(node);
    else rows.push([node]);
  }
  return rows.map((row) => row.sort((a, b) => x(a) - x(b)));
}

/** Returns a mark and its content in a line. */
function wordOf({ mark, parts }: Node): string {
  if (mark.kind === "text") return toned(mark);
  if (parts.length === 0) return inkOf(mark);
  const colours = new Set(
    parts
      .filter((part) => part.mark.kind === "text")
      .map((part) => colourOf(part.mark)),
  );
  // A colour that all texts share is written once.
  const [shared = ""] = colours.size === 1 ? colours : [];
  const rows = rowsOf(parts.filter((part) => !isLoose(part))).map((row) =>
    row.map(wordOf),
  );
  const loose = parts.filter(isLoose).map((part) => inkOf(part.mark));
  const inner = [...rows, ...(loose.length > 0 ? [loose] : [])]
    .map(joined)
    .join(" / ");
  return `${inkOf(mark)}[${shared === "" ? inner : inner.replaceAll(shared, "")}]${shared}`;
}

/** Returns a row, in which equal neighbours are counted and single digits are joined. */
function joined(words: readonly string[]): string {
  if (words.length > 2 && words.every((word) => word.length === 1))
    return words.join("");
  const runs: { word: string; times: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.word === word) last.times += 1;
    else runs.push({ word, times: 1 });
  }
  return runs
    .map(({ word, times }) => (times > 1 ? `${word} ×${times}` : word))
    .join(" | ");
}

/** Classes with a meaning, without the name of their picture. */
function classesOf(element: Element): string[] {
  const all = [...element.classList].filter((each) => !FONTS.test(each));
  return (
    all
      // `tlb-cell-age3` says `tlb-cell`, too.
      .filter((each) => !all.some((other) => other.startsWith(`${each}-`)))
      .map((each) =>
        each.replace(/^(access|chart|nested|timeline|tlb|walk)-/, ""),
      )
  );
}

const colourOf = (mark: Mark) =>
  classesOf(mark.element)
    .filter((each) => !(each in TONES))
    .map((each) => `{${each}}`)
    .join("");

function toned(mark: Mark): string {
  const signs = classesOf(mark.element).map((each) => TONES[each] ?? "");
  // A picture's words belong to its name: a screen reader does not read them one by one.
  const isSilent =
    mark.element.closest("[aria-hidden=true], [role=img]") !== null;
  return `${isSilent ? "" : "spoken "}${signs.join("")}${mark.text}${signs.reverse().join("")}${colourOf(mark)}`;
}

/**
 * Describes a shape: its classes (or its group's) and paint, whether it is dashed, and its attributes
 * `data-flight` and `data-level`.
 */
function inkOf(mark: Mark): string {
  const { element } = mark;
  const group = element.parentElement;
  const classes = classesOf(element);
  const named =
    classes.length > 0 || group === null ? classes : classesOf(group);
  const paint = [element.getAttribute("fill"), element.getAttribute("stroke")]
    .map((each) => paintName(each ?? ""))
    .find((each) => each !== "" && each !== "none");
  const found = ["flight", "level"].flatMap((key) => {
    const value =
      element.getAttribute(`data-${key}`) ?? group?.getAttribute(`data-${key}`);
    return value ? [` ${key}=${value}`] : [];
  });
  return [
    named.join(".") || element.tagName,
    paint === undefined ? "" : `(${paint})`,
    element.hasAttribute("stroke-dasharray") ? " dashed" : "",
    ...found,
  ].join("");
}

/** Returns `--walk` for `var(--walk)`, and `hatch-walk` for `url(#hatch-walk)`. */
export const paintName = (paint: string): string =>
  /(?:url\(#|var\()([\w-]+)/.exec(paint)?.[1] ?? paint;
