/** The counts beside the lines while the code changes. */
import { EditorState } from "@codemirror/state";
import type { TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, test, vi } from "vitest";
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
    const dispatch = vi.fn(change);
    showHeat({ state, dispatch } as unknown as EditorView, {
      table,
      by: "walks",
      code,
    });
    return dispatch.mock.calls.flatMap(([{ effects }]) => effects);
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

test("the_line_with_the_largest_count_comes_into_view", () => {
  const scroll = EditorView.scrollIntoView(0, { y: "center" });
  const { show } = editor("a\nb\nc");
  const effects = show("a\nb\nc");
  expect(effects).toHaveLength(2);
  expect(effects[1]).toEqual(scroll);
});

test("counts_of_another_text_are_not_shown", () => {
  const { change, show, lines } = editor("a\nb\nc");
  change({ changes: { from: 0, insert: "new\n" } });
  expect(show("a\nb\nc")).toHaveLength(1);
  expect(lines()).toBe("- - - -");
});
