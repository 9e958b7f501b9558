/**
 * Finds errors in any rendered picture: an invalid number, a label outside its drawing or on another label,
 * overlapping cells, a control without a name, a broken reference, more than one tab stop in a list of tabs.
 */
import { nameOf } from "./describe";
import { marksOf, overlap, sizeOf, within } from "./marks";
import type { Mark } from "./marks";

export function problemsOf(root: Element): string[] {
  return [
    ...numberProblems(root),
    ...referenceProblems(root),
    ...nameProblems(root),
    ...choiceProblems(root),
    ...savingProblems(root),
    ...[...root.querySelectorAll("svg")].flatMap(drawingProblems),
  ];
}

/** The number of pixels by which marks may extend beyond the edge of their drawing. */
const SLACK = { text: 1, box: 4, line: 12 };

function numberProblems(root: Element): string[] {
  return [...root.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes]
      .filter(({ value }) => /\b(NaN|Infinity|undefined|null)\b/.test(value))
      .map(({ name, value }) => `${element.tagName} has ${name} "${value}"`),
  );
}

function referenceProblems(root: Element): string[] {
  const ids = [...root.querySelectorAll("[id]")].map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  const lost = [
    "aria-labelledby",
    "aria-controls",
    "aria-activedescendant",
    "for",
  ].flatMap((name) =>
    [...root.querySelectorAll(`[${name}]`)]
      .flatMap((element) => element.getAttribute(name)?.split(" ") ?? [])
      .filter((id) => !ids.includes(id))
      .map((id) => `${name} leads to no ${id}`),
  );
  return [...twice.map((id) => `two elements are ${id}`), ...lost];
}

const CONTROLS =
  "button, input, select, [role=option], [role=gridcell], [role=tab], [role=slider], [role=listbox], [role=grid], [role=radiogroup], [role=tablist], [role=tabpanel], [role=img], [role=group]";

function nameProblems(root: Element): string[] {
  return [...root.querySelectorAll(CONTROLS)]
    .filter(
      (element) =>
        nameOf(element).trim() === "" && element.textContent.trim() === "",
    )
    .map(
      (element) =>
        `${element.getAttribute("role") ?? element.tagName} has no name`,
    );
}

/** Checks that one tab is selected and reached by Tab, and that the active option of a list is the selected one. */
function choiceProblems(root: Element): string[] {
  const isChosen = (element: Element) =>
    element.getAttribute("aria-selected") === "true";
  const tabs = [...root.querySelectorAll("[role=tablist]")].flatMap((list) => {
    const all = [...list.querySelectorAll("[role=tab]")];
    const ways = all.filter((tab) => tab.getAttribute("tabindex") === "0");
    return all.filter(isChosen).length === 1 &&
      ways.length === 1 &&
      ways.every(isChosen)
      ? []
      : [`${nameOf(list)} has no single tab`];
  });
  const options = [...root.querySelectorAll("[role=listbox]")].flatMap(
    (list) => {
      const chosen = [...list.querySelectorAll("[role=option]")].filter(
        isChosen,
      );
      const active = list.getAttribute("aria-activedescendant");
      return chosen.length <= 1 && (chosen[0]?.id ?? null) === active
        ? []
        : [`${nameOf(list)} does not point at its choice`];
    },
  );
  return [...tabs, ...options];
}

/** The buttons that save a picture are inside it, but not in the saved file. */
function savingProblems(root: Element): string[] {
  return [...root.querySelectorAll(".save-picture-button")]
    .filter(
      (button) => button.closest("[data-picture] [data-no-picture]") === null,
    )
    .map((button) => `${nameOf(button)} has no picture to save`);
}

function drawingProblems(svg: Element): string[] {
  const { width, height } = sizeOf(svg);
  // If a drawing is as wide as its container, the positions of its marks are shares of that width.
  if (Number.isNaN(width)) return [];
  const frame = { left: 0, top: 0, right: width, bottom: height };
  const marks = marksOf(svg);
  const texts = marks.filter(({ text }) => text !== "");
  const places = marks.filter(({ element }) => element.hasAttribute("role"));
  return [
    ...marks
      .filter((mark) => !within(mark, frame, SLACK[mark.kind]))
      .map((mark) => `${wordsOf(mark)} is not in its ${width}×${height}`),
    ...marks
      .filter(
        ({ kind, left, right, top, bottom }) =>
          kind === "box" && (right <= left || bottom <= top),
      )
      .map((mark) => `${wordsOf(mark)} has no size`),
    ...texts
      .filter(
        ({ element }) =>
          element.closest("[aria-hidden=true], [role=img]") === null,
      )
      .map((mark) => `${wordsOf(mark)} is read aloud by itself`),
    ...pairs(texts)
      .filter(([a, b]) => !isBehind(a, b, marks))
      .map(collision),
    ...pairs(places, 3).map(collision),
  ];
}

function pairs(marks: readonly Mark[], slack = 1): [Mark, Mark][] {
  return marks.flatMap((a, at) =>
    marks
      .slice(at + 1)
      .filter((b) => overlap(a, b, slack))
      .map((b): [Mark, Mark] => [a, b]),
  );
}

/** Returns whether the background of a later text covers an earlier text. */
function isBehind(under: Mark, over: Mark, marks: readonly Mark[]): boolean {
  return marks
    .slice(marks.indexOf(under), marks.indexOf(over))
    .some(
      (plate) =>
        plate.element.classList.contains("walk-plate") &&
        overlap(plate, under) &&
        overlap(plate, over),
    );
}

const collision = ([a, b]: [Mark, Mark]) =>
  `${wordsOf(a)} lies on ${wordsOf(b)}`;

const wordsOf = ({ element, text, kind, left, top }: Mark) =>
  `${kind} “${text || element.getAttribute("aria-label") || element.getAttribute("class") || element.tagName}” at ${Math.round(left)},${Math.round(top)}`;
