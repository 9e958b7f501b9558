/** Marks the line of an error in the editor, and writes the sentence below it. */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import type { EditorState, Extension, Line } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  WidgetType,
  gutterLineClass,
} from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import type { CodeProblem } from "../../model/code/code";

const setProblem = StateEffect.define<CodeProblem | undefined>();

/** A sentence. A screen reader gets it from an alert beside the editor. */
class Sentence extends WidgetType {
  readonly said: Said;

  constructor(said: Said) {
    super();
    this.said = said;
  }

  override eq({ said }: Sentence): boolean {
    return said === this.said;
  }

  toDOM(): HTMLElement {
    const { line, message } = this.said;
    const box = document.createElement("div");
    box.className = "cm-problem";
    box.setAttribute("aria-hidden", "true");
    if (line !== undefined) {
      const where = document.createElement("b");
      where.textContent = `Line ${line}. `;
      box.append(where);
    }
    box.append(message);
    return box;
  }
}

const WRONG_LINE = Decoration.line({ class: "cm-wrong" });
const WRONG_PLACE = Decoration.mark({ class: "cm-wrong-place" });

/** The marks move with the text, and go when their line does. */
const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const given = transaction.effects.find((effect) => effect.is(setProblem));
    return given
      ? marksOf(transaction.state, given.value)
      : marks.map(transaction.changes);
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

class WrongNumber extends GutterMarker {
  override elementClass = "cm-wrong-number";
}

const WRONG_NUMBER = new WrongNumber();

const numbers = gutterLineClass.compute([field], (state) => {
  const lines: number[] = [];
  state.field(field).between(0, state.doc.length, (from, _to, mark) => {
    if (mark === WRONG_LINE) lines.push(from);
  });
  return RangeSet.of(lines.map((from) => WRONG_NUMBER.range(from)));
});

export const problemMarks: Extension = [field, numbers];

/** Without a line, or with one that the text lacks, the sentence is at its end. */
function marksOf(
  { doc }: EditorState,
  problem: CodeProblem | undefined,
): DecorationSet {
  if (!problem) return Decoration.none;
  const wrong = new Set<number>();
  const marks = placesOf(problem).flatMap((said) => {
    const { line: number } = said;
    const isKnown = number !== undefined && number >= 1 && number <= doc.lines;
    const line = doc.line(isKnown ? number : doc.lines);
    const sentence = Decoration.widget({
      widget: new Sentence(said),
      block: true,
      side: 1,
    }).range(line.to);
    const isFirst = isKnown && !wrong.has(number);
    if (isKnown) wrong.add(number);
    const place = isKnown ? placeIn(line, said.column) : undefined;
    return [
      ...(isFirst ? [WRONG_LINE.range(line.from)] : []),
      ...(place ? [WRONG_PLACE.range(place.from, place.to)] : []),
      sentence,
    ];
  });
  return Decoration.set(marks, true);
}

/** The word or the sign at a column, from 1; the last sign for a column behind the line. */
function placeIn({ from, text }: Line, column: number | undefined) {
  if (column === undefined || text === "") return undefined;
  const at = Math.max(0, Math.min(column, text.length) - 1);
  const [word = ""] = /^\w*/.exec(text.slice(at)) ?? [];
  return { from: from + at, to: from + at + Math.max(1, word.length) };
}

/** What is said about a place in the code. */
type Said = Pick<CodeProblem, "line" | "message"> & {
  readonly column?: number;
};

/** Each error of the compiler that has a line; without one, the sentence of the problem. */
function placesOf(problem: CodeProblem): readonly Said[] {
  const errors = (problem.diagnostics ?? []).filter(
    ({ severity, line }) => severity === "error" && line !== undefined,
  );
  return errors.length > 0 ? errors : [problem];
}

/** Shows a problem and scrolls to it; `undefined` removes the marks. */
export function showProblem(
  view: EditorView,
  problem: CodeProblem | undefined,
): void {
  const { doc } = view.state;
  const number = Math.min(problem?.line ?? doc.lines, doc.lines);
  view.dispatch({
    effects: [
      setProblem.of(problem),
      ...(problem
        ? [EditorView.scrollIntoView(doc.line(number).to, { y: "center" })]
        : []),
    ],
  });
}
