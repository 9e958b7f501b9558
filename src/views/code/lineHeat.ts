/** The counts of the last run next to each line, and the line of the access at the cursor. They move with the text. */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import type { Extension, Text } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import {
  heatOf,
  LINE_QUANTITIES,
  lineText,
  threeDigits,
} from "../../model/code/lines";
import type { LineQuantity, LineTable } from "../../model/code/lines";

export interface Heat {
  readonly table: LineTable;
  readonly by: LineQuantity;
}

const setHeat = StateEffect.define<Heat | undefined>();
const setAt = StateEffect.define<number | undefined>();

/** A number on a bar: how long it is, how dark, and the number say the same. */
class LineMarker extends GutterMarker {
  readonly text: string;
  readonly title: string;
  readonly share: number;
  readonly heat: number;

  constructor(text: string, title: string, share: number, heat: number) {
    super();
    this.text = text;
    this.title = title;
    this.share = share;
    this.heat = heat;
  }

  override eq(other: LineMarker): boolean {
    return this.text === other.text && this.title === other.title;
  }

  override toDOM(): HTMLElement {
    const cell = document.createElement("div");
    cell.className = "cm-heat";
    cell.dataset["heat"] = String(this.heat);
    cell.title = this.title;
    const bar = document.createElement("i");
    bar.style.width = `${Math.round(100 * this.share)}%`;
    const number = document.createElement("span");
    number.textContent = this.text;
    cell.append(bar, number);
    return cell;
  }
}

function markersOf(doc: Text, heat: Heat | undefined): RangeSet<LineMarker> {
  if (!heat) return RangeSet.of<LineMarker>([]);
  const { table, by } = heat;
  const total = table.total[by];
  const word = LINE_QUANTITIES.find(({ id }) => id === by)?.word ?? by;
  return RangeSet.of(
    table.lines.flatMap((each) => {
      const value = each.counts[by];
      if (each.line > doc.lines || value === 0) return [];
      const title = `Line ${each.line}: ${lineText(each, table)}`;
      const share = total > 0 ? value / total : 0;
      return [
        new LineMarker(
          threeDigits(value),
          `${title}. Shown: ${word}. Click for the next walk.`,
          share,
          heatOf(value, total),
        ).range(doc.line(each.line).from),
      ];
    }),
  );
}

const heatField = StateField.define<RangeSet<LineMarker>>({
  create: () => RangeSet.empty,
  update: (markers, transaction) => {
    const given = transaction.effects.find((effect) => effect.is(setHeat));
    return given
      ? markersOf(transaction.state.doc, given.value)
      : markers.map(transaction.changes);
  },
});

const AT = Decoration.line({ class: "cm-at" });

const atField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const given = transaction.effects.find((effect) => effect.is(setAt));
    if (!given) return marks.map(transaction.changes);
    const { doc } = transaction.state;
    const line = given.value;
    return line === undefined || line < 1 || line > doc.lines
      ? Decoration.none
      : Decoration.set([AT.range(doc.line(line).from)]);
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

/** `onLine` gets the line whose number is clicked. */
export function lineHeat(onLine: (line: number) => void): Extension {
  return [
    heatField,
    atField,
    gutter({
      class: "cm-heats",
      markers: (view) => view.state.field(heatField),
      domEventHandlers: {
        click: (view, block) => {
          view.dispatch({ selection: { anchor: block.from } });
          onLine(view.state.doc.lineAt(block.from).number);
          return true;
        },
      },
    }),
  ];
}

export function showHeat(view: EditorView, heat: Heat | undefined): void {
  view.dispatch({ effects: setHeat.of(heat) });
}

/** Lights a line, and scrolls to it if `isNew`. */
export function showAt(view: EditorView, line: number | undefined): void {
  const { doc } = view.state;
  const isThere = line !== undefined && line >= 1 && line <= doc.lines;
  view.dispatch({
    effects: [
      setAt.of(line),
      ...(isThere
        ? [EditorView.scrollIntoView(doc.line(line).from, { y: "nearest" })]
        : []),
    ],
  });
}
