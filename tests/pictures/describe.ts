/**
 * Writes a rendered picture as a short text for reviewers: roles, accessible names, states, visible text, and
 * the marks of drawings (see `drawing.ts`). Each element has a line; its contents are indented. If named marks
 * of a drawing differ only in numbers, only the first is written. Lists of more than eight items are one line,
 * without titles.
 */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { drawingLines, paintName } from "./drawing";
import { marksOf, sizeOf } from "./marks";

/** Renders a picture without a browser. Sizes are the initial ones, because nothing is measured. */
export function pictureOf(node: ReactNode): HTMLElement {
  const root = document.createElement("div");
  root.innerHTML = renderToStaticMarkup(node);
  return root;
}

export function describePicture(node: ReactNode): string {
  return `${linesOf(pictureOf(node)).join("\n")}\n`;
}

/** Returns the difference of a variant of a picture: removed lines, then added lines. */
export function describeChange(from: ReactNode, to: ReactNode): string {
  const [before, after] = [from, to].map((node) => linesOf(pictureOf(node)));
  const only = (sign: string, lines: string[] = [], others: string[] = []) =>
    lines
      .filter((line) => !others.includes(line))
      .map((line) => `${sign} ${line.trim()}`);
  return [...only("-", before, after), ...only("+", after, before)].join("\n");
}

const ROLES: Readonly<Record<string, string>> = {
  a: "link",
  button: "button",
  canvas: "canvas",
  dl: "list",
  figure: "figure",
  h2: "heading",
  h3: "heading",
  li: "-",
  ol: "list",
  output: "status",
  select: "combobox",
  summary: "summary",
  table: "table",
  tr: "row",
  ul: "list",
};
const INPUTS: Readonly<Record<string, string>> = {
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
};
const INLINE = new Set("span b i s code kbd dt dd th td small".split(" "));
/** Classes of HTML elements that carry a meaning, by a colour. */
const STATES =
  /^(ink-|access-chip-|walk-ref|nested-on)|^(hit|set|read|address|violated|skipped|quiet|primary)$/;
const LONG_LIST = 8;

function linesOf(element: Element): string[] {
  const lines: string[] = [];
  let text = "";
  const flush = () => {
    if (/[^|\s]/.test(text)) lines.push(quoted(text));
    text = "";
  };
  let before: Node | null = null;
  for (const child of element.childNodes) {
    if (isElement(child) && !isInline(child)) {
      flush();
      lines.push(...blockLines(child));
      before = null;
    } else {
      text += inline(child, before);
      before = child;
    }
  }
  flush();
  return lines;
}

const isElement = (node: Node): node is Element => node.nodeType === 1;

function isInline(element: Element): boolean {
  if (element.tagName === "svg") return isIcon(element);
  return (
    INLINE.has(element.tagName.toLowerCase()) &&
    headOf(element) === "" &&
    [...element.children].every(isInline)
  );
}

/** Returns whether a drawing is an icon in a line of text: without words, and not higher than a line. */
const isIcon = (svg: Element) =>
  sizeOf(svg).height <= 16 && svg.querySelector("text") === null;

/**
 * Returns the text of a line: `*bold*`, `[key]`, `text{state}`, `text ‹title›`, `(shape)`. `|` stands for a gap
 * without other separator.
 */
function inline(node: Node, before: Node | null): string {
  if (!isElement(node)) return node.textContent ?? "";
  if (node.tagName === "svg") return `(${iconOf(node)})`;
  const inner = [...node.childNodes].map((child) =>
    inline(child, child.previousSibling),
  );
  if (node.classList.contains("visually-hidden"))
    return `(unseen ${inner.join("").trim()}) `;
  const gap = before !== null && isElement(before) && before.tagName !== "svg";
  return `${gap ? "|" : ""}${worded(node.tagName, inner.join(""))}${stateOf(node)}${titleOf(node)}`;
}

function worded(tag: string, text: string): string {
  switch (tag) {
    case "B":
      return `*${text}*`;
    case "KBD":
      return `[${text}]`;
    case "S":
      return `(was ${text})`;
    case "DT":
      return `${text}: `;
    case "TH":
      return `*${text}*`;
    default:
      return text;
  }
}

/** Returns the paints of a small shape, or a code for its outline if it has the colour of the text. */
function iconOf(svg: Element): string {
  const name = svg.getAttribute("aria-label");
  const marks = marksOf(svg).map(({ element }) => {
    const paint = element.getAttribute("fill") ?? "";
    return /url|var/.test(paint)
      ? paintName(paint)
      : formOf(element.getAttribute("d") ?? element.tagName);
  });
  return [...(name === null ? [] : [`named ${name}`]), ...new Set(marks)].join(
    " ",
  );
}

/** Returns a short code for an outline. Different outlines have different codes. */
function formOf(d: string): string {
  let sum = 0;
  for (const letter of d) sum = (sum * 31 + letter.charCodeAt(0)) % 46_656;
  return `#${sum.toString(36)}`;
}

/** Returns the states that a colour shows, as `{hit}`. */
function stateOf(element: Element): string {
  return [...element.classList, element.getAttribute("data-known") ?? ""]
    .filter((each, at, all) => STATES.test(each) || at === all.length - 1)
    .map((each) => (each === "" ? "" : `{${each}}`))
    .join("");
}

function titleOf(element: Element): string {
  const title = element.getAttribute("title") ?? "";
  const items = element.closest("li")?.parentElement?.childElementCount ?? 0;
  return title === "" || items > LONG_LIST ? "" : ` ‹${title}›`;
}

function blockLines(element: Element): string[] {
  if (element.tagName === "LABEL")
    // The words of a label are the name of the labelled element.
    return linesOf(element).filter((line) => !line.startsWith('"'));
  const head = headOf(element);
  const isDrawing = element.tagName === "svg";
  const inner = isDrawing
    ? [...drawingLines(element), ...namedMarks(element)]
    : linesOf(element);
  if (head === "") return inner;
  const [first = ""] = inner;
  if (inner.length === 1 && first.startsWith('"'))
    return [headOf(element, first)];
  const items = [...element.children].map(linesOf);
  if (items.length > LONG_LIST && items.every((item) => item.length === 1))
    return [
      `${head}: ${inner.map((line) => line.replace(/^-({.*})? "(.*)"/, "$2$1")).join(" | ")}`,
    ];
  return [head, ...inner.map((line) => `  ${line}`)];
}

/** Returns the options and cells of a drawing. If several differ only in numbers, lists the first and their count. */
function namedMarks(svg: Element): string[] {
  const kinds = new Map<string, { first: string; times: number }>();
  for (const element of svg.querySelectorAll("[aria-label]")) {
    const first = headOf(element);
    const kind = first.replaceAll(/0x[\da-f]+|\d[\d,.]*/g, "#");
    const times = (kinds.get(kind)?.times ?? 0) + 1;
    kinds.set(kind, { first: kinds.get(kind)?.first ?? first, times });
  }
  return [...kinds.values()].map(({ first, times }) =>
    times > 1 ? `${first} and ${times - 1} like it` : first,
  );
}

/** Returns role, name, content and states of an element; empty if the element only groups others. */
function headOf(element: Element, shown = ""): string {
  const role = roleOf(element);
  const name = nameOf(element);
  const states = statesOf(element);
  const isPlain = role === "" && name === "" && states.length === 0;
  return isPlain
    ? ""
    : [
        role === ""
          ? (element.classList[0] ?? element.tagName.toLowerCase())
          : role,
        name === "" ? "" : quoted(name),
        name === "" || shown === "" ? shown : `shows ${shown}`,
        ...states,
      ]
        .filter((part) => part !== "")
        .join(" ");
}

function roleOf(element: Element): string {
  const tag = element.tagName.toLowerCase();
  const role = element.getAttribute("role");
  if (tag === "svg") {
    const { width, height } = sizeOf(element);
    return `${role === "img" ? "image" : "drawing"} ${width}×${height}`;
  }
  if (role === "presentation") return "";
  if (tag === "section") return nameOf(element) === "" ? "" : "region";
  if (tag === "input")
    return INPUTS[element.getAttribute("type") ?? ""] ?? "textbox";
  const known = role ?? ROLES[tag] ?? "";
  return known === "-" ? `-${stateOf(element)}` : known;
}

/** Returns the explicit name of an element; empty if its content is its name. */
export function nameOf(element: Element): string {
  const byId = (id: string) =>
    rootOf(element).querySelector(`[id="${id}"]`)?.textContent ?? `no ${id}`;
  const by = element.getAttribute("aria-labelledby");
  if (by !== null) return by.split(" ").map(byId).join(" ");
  const label = element.getAttribute("aria-label");
  if (label !== null) return label;
  if (!/^(INPUT|SELECT)$/.test(element.tagName)) return "";
  const own = rootOf(element).querySelector(`label[for="${element.id}"]`);
  return ((own ?? element.closest("label"))?.textContent ?? "").trim();
}

const rootOf = (element: Element): Element =>
  element.parentElement === null ? element : rootOf(element.parentElement);

/** Returns the states in words, and the position of an overlay. */
function statesOf(element: Element): string[] {
  const get = (name: string) => element.getAttribute(name);
  const is = (name: string) => get(`aria-${name}`) === "true";
  const points = get("aria-activedescendant");
  const active = points === null ? null : activeOf(element, points);
  const style = get("style");
  const range = element.getAttribute("min") !== null;
  return [
    is("selected") ? "selected" : "",
    is("checked") || element.hasAttribute("checked") ? "checked" : "",
    is("pressed") ? "pressed" : get("aria-pressed") === "false" ? "up" : "",
    is("expanded") ? "expanded" : "",
    is("invalid") ? "invalid" : "",
    is("disabled") || element.hasAttribute("disabled") ? "disabled" : "",
    get("aria-haspopup") ? `opens ${get("aria-haspopup")}` : "",
    get("aria-live") ? `live=${get("aria-live")}` : "",
    get("aria-keyshortcuts") ? `key ${get("aria-keyshortcuts")}` : "",
    get("aria-valuenow")
      ? `${get("aria-valuenow")} of ${get("aria-valuemin")} to ${get("aria-valuemax")}`
      : range
        ? `${get("value")} of ${get("min")} to ${get("max")}`
        : element.tagName === "INPUT" && get("type") === "text"
          ? `= ${get("value")}`
          : "",
    get("aria-valuetext") ? `“${get("aria-valuetext")}”` : "",
    active === null ? "" : `at “${active}”`,
    get("tabindex") === "0" && element.tagName !== "BUTTON" ? "focusable" : "",
    get("tabindex") === "-1" && element.tagName === "BUTTON"
      ? "not by Tab"
      : "",
    get("data-level") ? `level ${get("data-level")}` : "",
    get("data-flight") ? `flight=${get("data-flight")}` : "",
    get("data-seeking") ? `seeking ${get("data-seeking")}` : "",
    get("data-compact") ? "compact" : "",
    style === null ? "" : `at ${rounded(style)}`,
    INLINE.has(element.tagName.toLowerCase()) ? "" : titleOf(element).trim(),
  ].filter((state) => state !== "");
}

/** Returns the name of the active option or cell of a list. */
const activeOf = (element: Element, id: string) =>
  rootOf(element).querySelector(`[id="${id}"]`)?.getAttribute("aria-label") ??
  "nothing";

/** Rounds the numbers in a text to at most one decimal. */
export const rounded = (text: string): string =>
  text.replaceAll(/-?\d*\.\d{2,}/g, (number) =>
    String(Number(Number(number).toFixed(1))),
  );

/** Returns the text of neighbouring nodes, without gaps at its ends. */
const quoted = (text: string) =>
  `"${text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\|+/g, "|")
    .replaceAll(/^[| ]+|[| ]+$/g, "")}"`;
