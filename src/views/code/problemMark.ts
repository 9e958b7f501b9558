/** Marks the line of an error in the editor, and writes the sentence below it. */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import type { EditorState, Extension } from "@codemirror/state";
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

/** The sentence. A screen reader gets it from an alert beside the editor. */
class Sentence extends WidgetType {
  readonly problem: CodeProblem;

  constructor(problem: CodeProblem) {
    super();
    this.problem = problem;
  }

  override eq({ problem }: Sentence): boolean {
    return problem === this.problem;
  }

  toDOM(): HTMLElement {
    const { line, message } = this.problem;
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
  const { line: number } = problem;
  const isKnown = number !== undefined && number >= 1 && number <= doc.lines;
  const line = doc.line(isKnown ? number : doc.lines);
  const sentence = Decoration.widget({
    widget: new Sentence(problem),
    block: true,
    side: 1,
  }).range(line.to);
  return Decoration.set(
    isKnown ? [WRONG_LINE.range(line.from), sentence] : [sentence],
  );
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
