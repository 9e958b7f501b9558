/**
 * The counts of the last run next to each line, and the line of the access at the cursor. They move with the text. Counts
 * of another text are not shown.
 */
import { MapMode, RangeSet, StateEffect, StateField } from "@codemirror/state";
import type {
  EditorState,
  Extension,
  Range,
  Text,
  Transaction,
} from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import {
  heatOf,
  largestLine,
  LINE_QUANTITIES,
  lineText,
  threeDigits,
} from "../../model/code/lines";
import type { LineQuantity, LineTable } from "../../model/code/lines";

export interface Heat {
  readonly table: LineTable;
  readonly by: LineQuantity;
  /** The text that was counted. */
  readonly code: string;
}

const setHeat = StateEffect.define<Heat | undefined>();
const setAt = StateEffect.define<number | undefined>();

/** A number on a bar: how long it is, how dark, and the number say the same. */
class LineMarker extends GutterMarker {
  readonly text: string;
  readonly title: string;
  readonly share: number;
  readonly heat: number;
  /** The line in the text that was counted. */
  readonly line: number;

  constructor(line: number, title: string, value: number, total: number) {
    super();
    this.line = line;
    this.text = threeDigits(value);
    this.title = title;
    this.share = total > 0 ? value / total : 0;
    this.heat = heatOf(value, total);
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
  if (heat?.code !== doc.toString()) return RangeSet.of<LineMarker>([]);
  const { table, by } = heat;
  const total = table.total[by];
  const word = LINE_QUANTITIES.find(({ id }) => id === by)?.word ?? by;
  return RangeSet.of(
    table.lines.flatMap((each) => {
      const value = each.counts[by];
      if (each.line > doc.lines || value === 0) return [];
      const title = `Line ${each.line}: ${lineText(each, table)}. Shown: ${word}. Click for the next walk.`;
      const marker = new LineMarker(each.line, title, value, total);
      return [marker.range(doc.line(each.line).from)];
    }),
  );
}

const heatField = StateField.define<RangeSet<LineMarker>>({
  create: () => RangeSet.empty,
  update: (markers, transaction) => {
    const given = transaction.effects.find((effect) => effect.is(setHeat));
    return given
      ? markersOf(transaction.state.doc, given.value)
      : transaction.docChanged
        ? moved(markers, transaction)
        : markers;
  },
});

/** Moves numbers with their lines. A number stands at the beginning of its line, also if text was added there. */
function moved(
  markers: RangeSet<LineMarker>,
  { changes, startState, state }: Transaction,
): RangeSet<LineMarker> {
  const ranges: Range<LineMarker>[] = [];
  markers.between(0, startState.doc.length, (from, _to, marker) => {
    const place = changes.mapPos(from, 1, MapMode.TrackDel);
    if (place !== null) ranges.push(marker.range(state.doc.lineAt(place).from));
  });
  return RangeSet.of(ranges, true);
}

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

/** Returns which line of the counted text is now the one at a place; `undefined` if it has no count. */
export function countedLine(
  state: EditorState,
  place: number,
): number | undefined {
  const { from, to } = state.doc.lineAt(place);
  let line: number | undefined;
  state.field(heatField).between(from, to, (_from, _to, marker) => {
    line = marker.line;
    return false;
  });
  return line;
}

/** `onLine` gets the line of the counted text whose number is clicked. */
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
          const line = countedLine(view.state, block.from);
          if (line !== undefined) onLine(line);
          return true;
        },
      },
    }),
  ];
}

/** Shows counts, and brings the line with the largest into view. */
export function showHeat(view: EditorView, heat: Heat | undefined): void {
  const { doc } = view.state;
  const line =
    heat && heat.code === doc.toString() ? largestLine(heat.table, heat.by) : 0;
  view.dispatch({
    effects: [
      setHeat.of(heat),
      ...(line > 0 && line <= doc.lines
        ? [EditorView.scrollIntoView(doc.line(line).from, { y: "center" })]
        : []),
    ],
  });
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
