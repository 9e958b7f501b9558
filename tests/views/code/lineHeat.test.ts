/** The counts beside the lines while the code changes. */
import { EditorState } from "@codemirror/state";
import type { TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { expect, test } from "vitest";
import type { LineTable } from "../../../src/model/code/lines";
import {
  countedLine,
  lineHeat,
  showHeat,
} from "../../../src/views/code/lineHeat";

const counts = { accesses: 4, misses: 2, walks: 1, cycles: 9 };
const table: LineTable = {
  lines: [1, 3].map((line) => ({ file: "main.c", line, counts })),
  total: counts,
  elsewhere: 0,
};

/** An editor without a screen. */
function editor(doc: string) {
  let state = EditorState.create({ doc, extensions: lineHeat(() => {}) });
  const change = (spec: TransactionSpec) => {
    state = state.update(spec).state;
  };
  const show = (code: string) => {
    const view = { dispatch: change } as unknown as EditorView;
    showHeat(view, { table, by: "walks", code });
  };
  /** For each line of the text: the line that was counted. */
  const lines = () =>
    Array.from({ length: state.doc.lines }, (_, at) => {
      const found = countedLine(state, state.doc.line(at + 1).from);
      return found ?? "-";
    }).join(" ");
  return { change, show, lines };
}

test("counts_move_with_their_lines", () => {
  const { change, show, lines } = editor("a\nb\nc");
  show("a\nb\nc");
  expect(lines()).toBe("1 - 3");
  change({ changes: { from: 0, insert: "new\n" } });
  expect(lines()).toBe("- 1 - 3");
  // Text at the beginning of a line, and a line that is gone.
  change({ changes: { from: 4, insert: "  " } });
  change({ changes: { from: 0, to: 4 } });
  expect(lines()).toBe("1 - 3");
  change({ changes: { from: 5, to: 7 } });
  expect(lines()).toBe("1 -");
});

test("counts_of_another_text_are_not_shown", () => {
  const { change, show, lines } = editor("a\nb\nc");
  change({ changes: { from: 0, insert: "new\n" } });
  show("a\nb\nc");
  expect(lines()).toBe("- - - -");
});
