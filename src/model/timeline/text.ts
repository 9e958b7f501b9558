/** The timeline in words: the lines of its tooltip, and the sentence for screen readers. */
import type { Outcome } from "../../engine/generated/Outcome";
import { count, counted, percentOf, range } from "../shared/format";
import { outcomesWith, outcomeWord } from "../shared/outcome";
import { binCounts, binSpan, cellAt, hasExceptions } from "./counts";
import type { Cell, Counts, TimelineColumns } from "./counts";
import { regionKnown, regionName } from "./regions";
import type { BinIndex, RowIndex } from "../shared/units";

/** A line with a glyph: word, count, share. */
export interface OutcomeLine {
  readonly outcome: Outcome;
  readonly word: string;
  readonly count: string;
  readonly share: string;
}

export interface BinText {
  /** The accesses of a bin: `accesses 1,660 – 3,319`. */
  readonly title: string;
  /** The most expensive first, in the order of the bar from the baseline. */
  readonly lines: readonly OutcomeLine[];
  /** The totals of a bin: `1,702 translations`, and operations if there are any. */
  readonly total: string;
}

export function binText(
  timeline: TimelineColumns,
  bin: BinIndex,
  second?: string,
): BinText {
  const counts = binCounts(timeline, bin);
  const { translations, outcomes } = counts;
  return {
    title: binTitle(timeline, bin),
    lines: costliestFirst(timeline).map((outcome) => ({
      outcome,
      word: outcomeWord(outcome, second),
      count: count(outcomes[outcome]),
      share: percentOf(outcomes[outcome], translations),
    })),
    total: [translationsText(counts), ...operationsText(timeline, bin)].join(
      ", ",
    ),
  };
}

function costliestFirst(timeline: TimelineColumns): readonly Outcome[] {
  return outcomesWith(hasExceptions(timeline)).toReversed();
}

/** The total of the outcomes: `1,702 translations`, `3 translations + 1 access without one`. */
function translationsText({ translations, outcomes }: Counts): string {
  const { exception } = outcomes;
  const done = counted(translations - exception, "translation");
  if (exception === 0) return done;
  return `${done} + ${counted(exception, "access", "accesses")} without one`;
}

function operationsText(
  { operations }: TimelineColumns,
  bin: BinIndex,
): string[] {
  const n = operations[bin] ?? 0;
  return n === 0 ? [] : [counted(n, "operation")];
}

function binTitle({ view }: TimelineColumns, bin: BinIndex): string {
  const { from, to } = binSpan(view, bin);
  return `${to - from === 1 ? "access" : "accesses"} ${range(from, Math.max(from, to - 1))}`;
}

export interface CellText {
  readonly title: string;
  /** The pages of a cell: `heap, pages 81 – 160 of 1,744 from the top`. */
  readonly place: string;
  readonly accesses: string;
  readonly walks: string;
  readonly faults: string;
  /** Missing if no exception ended an access of the window. */
  readonly exceptions?: string;
}

export function cellText(
  timeline: TimelineColumns,
  bin: BinIndex,
  row: RowIndex,
): CellText | null {
  const cell = cellAt(timeline, bin, row);
  if (!cell) return null;
  return {
    title: binTitle(timeline, bin),
    place: place(cell, timeline),
    accesses: count(cell.accesses),
    walks: count(cell.walks),
    faults: count(cell.faults),
    ...(hasExceptions(timeline) && { exceptions: count(cell.exceptions) }),
  };
}

function place(
  { region, firstPage, lastPage }: Cell,
  { view }: TimelineColumns,
): string {
  const name = `${regionName(region, view.regions)} (${regionKnown(region)})`;
  if (region.pages <= 1) return `${name}, its only page`;
  const word = firstPage === lastPage ? "page" : "pages";
  return `${name}, ${word} ${range(firstPage, lastPage)} of ${count(region.pages)} from the top`;
}

/**
 * A bin as a sentence: `accesses 1,660 – 3,319: 1,702 translations, 12 page faults, 40 walks, 88 STLB hits, 1,562 L1
 * hits`.
 */
export function binSentence(
  timeline: TimelineColumns,
  bin: BinIndex,
  second?: string,
): string {
  const counts = binCounts(timeline, bin);
  const parts = costliestFirst(timeline).map((outcome) =>
    counted(counts.outcomes[outcome], outcomeWord(outcome, second)),
  );
  return `${binTitle(timeline, bin)}: ${[translationsText(counts), ...parts, ...operationsText(timeline, bin)].join(", ")}`;
}

/** A cell as a sentence. */
export function cellSentence(
  timeline: TimelineColumns,
  bin: BinIndex,
  row: RowIndex,
  second?: string,
): string {
  const cell = cellAt(timeline, bin, row);
  if (!cell) return binSentence(timeline, bin, second);
  const parts = [
    counted(cell.accesses, "access", "accesses"),
    counted(cell.walks, "walk"),
    counted(cell.faults, "page fault"),
    ...(hasExceptions(timeline)
      ? [counted(cell.exceptions, outcomeWord("exception"))]
      : []),
  ];
  return `${binTitle(timeline, bin)}, ${place(cell, timeline)}: ${parts.join(", ")}`;
}
