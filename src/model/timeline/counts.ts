/**
 * The timeline as counts: bins along the trace, cells of the address × time picture, windows of the trace.
 * `layout.ts` places them on the screen.
 */
import type { Outcome } from "../../engine/generated/Outcome";
import type { RegionView } from "../../engine/generated/RegionView";
import type { TimelineView } from "../../engine/generated/TimelineView";
import { OUTCOMES } from "../shared/outcome";
import type { AccessIndex, BinIndex, RowIndex, Share } from "../shared/units";

/** The columns of the engine's `Timeline`: cell `(row, bin)` is at `row * view.bins + bin`. */
export interface TimelineColumns {
  readonly view: TimelineView;
  /** Translations per bin and their outcomes; those in none of the four columns are L1 hits. */
  readonly translations: Uint32Array;
  readonly l2Hits: Uint32Array;
  readonly walks: Uint32Array;
  readonly faults: Uint32Array;
  /** Accesses that an exception ended without a translation; they are included in `translations`. */
  readonly exceptions: Uint32Array;
  /** The number of operations before the accesses of a bin. */
  readonly operations: Uint32Array;
  readonly density: Uint32Array;
  readonly cellWalks: Uint32Array;
  readonly cellFaults: Uint32Array;
  readonly cellExceptions: Uint32Array;
}

/** A part of the trace; `to` is exclusive. */
export interface Span {
  readonly from: AccessIndex;
  readonly to: AccessIndex;
}

/** The outcomes of some translations. */
export interface Counts {
  readonly translations: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

/** A cell of the address × time picture. */
export interface Cell {
  readonly region: RegionView;
  /** The pages of its row, counted from 1 at the region's top; both are inclusive. */
  readonly firstPage: number;
  readonly lastPage: number;
  readonly accesses: number;
  readonly walks: number;
  readonly faults: number;
  readonly exceptions: number;
}

/** Accesses per bin; the last bin may have fewer. */
export function binWidth(
  view: Pick<TimelineView, "from" | "to" | "bins">,
): number {
  return Math.max(1, Math.ceil((view.to - view.from) / Math.max(1, view.bins)));
}

/** The accesses of a bin. */
export function binSpan(
  view: Pick<TimelineView, "from" | "to" | "bins">,
  bin: BinIndex,
): Span {
  const width = binWidth(view);
  const from = Math.min(view.to, view.from + bin * width);
  return { from, to: Math.min(view.to, from + width) };
}

/** The bin of an access, or the nearest one to an access outside the view. */
export function binOf(
  view: Pick<TimelineView, "from" | "to" | "bins">,
  access: AccessIndex,
): BinIndex {
  const bin = Math.floor((access - view.from) / binWidth(view));
  return Math.max(0, Math.min(view.bins - 1, bin));
}

export function binCounts(timeline: TimelineColumns, bin: BinIndex): Counts {
  return countsOf(timeline, (column) => column[bin] ?? 0);
}

function countsOf(
  timeline: TimelineColumns,
  of: (column: Uint32Array) => number,
): Counts {
  const translations = of(timeline.translations);
  const fault = of(timeline.faults);
  const walk = of(timeline.walks);
  const l2 = of(timeline.l2Hits);
  const exception = of(timeline.exceptions);
  const l1 = Math.max(0, translations - exception - fault - walk - l2);
  return {
    translations,
    outcomes: { "l1-hit": l1, "l2-hit": l2, walk, fault, exception },
  };
}

/** Whether an exception ended an access of the window. */
export function hasExceptions({ exceptions }: TimelineColumns): boolean {
  return exceptions.some((n) => n > 0);
}

/** The share of a bin's translations that did not hit level 1: the height of its bar. */
export function missShare(timeline: TimelineColumns, bin: BinIndex): Share {
  const { translations, outcomes } = binCounts(timeline, bin);
  return translations === 0
    ? 0
    : (translations - outcomes["l1-hit"]) / translations;
}

/** The outcomes of all bins together. */
export function totalCounts(timeline: TimelineColumns): Counts {
  return countsOf(timeline, (column) =>
    column.reduce((total, n) => total + n, 0),
  );
}

/** The most expensive outcome that occurred. */
export function worstOutcome(counts: Counts): Outcome {
  return (
    OUTCOMES.findLast((outcome) => counts.outcomes[outcome] > 0) ?? "l1-hit"
  );
}

export function regionOfRow(
  view: Pick<TimelineView, "regions">,
  row: RowIndex,
): RegionView | undefined {
  return view.regions.find(
    (region) => row >= region.first_row && row < region.first_row + region.rows,
  );
}

/** The cell, or `null` outside the picture. */
export function cellAt(
  timeline: TimelineColumns,
  bin: BinIndex,
  row: RowIndex,
): Cell | null {
  const { view } = timeline;
  const region = regionOfRow(view, row);
  if (!region || bin < 0 || bin >= view.bins) return null;
  const at = row * view.bins + bin;
  return {
    region,
    ...pagesOf(region, row),
    accesses: timeline.density[at] ?? 0,
    walks: timeline.cellWalks[at] ?? 0,
    faults: timeline.cellFaults[at] ?? 0,
    exceptions: timeline.cellExceptions[at] ?? 0,
  };
}

/**
 * The engine assigns pages to rows from the bottom: page `n` is in row `floor(n * rows / pages)`, both
 * counted from below.
 */
function pagesOf(
  { pages, rows, first_row }: RegionView,
  row: RowIndex,
): Pick<Cell, "firstPage" | "lastPage"> {
  const below = rows - 1 - (row - first_row);
  const lowest = Math.ceil((below * pages) / rows);
  const beyond = Math.ceil(((below + 1) * pages) / rows);
  return { firstPage: pages - beyond + 1, lastPage: pages - lowest };
}

/** The largest number of accesses in one cell. */
export function densityMax(timeline: TimelineColumns): number {
  return timeline.density.reduce((max, n) => Math.max(max, n), 0);
}

/** The smallest window in accesses: at this size a bin is already one access. */
const LEAST_SPAN = 32;

/**
 * Scales a window about an access that keeps its position; a `factor` below 1 zooms in. Stays within the
 * trace.
 */
export function zoomSpan(
  span: Span,
  about: AccessIndex,
  factor: number,
  nAccesses: number,
): Span {
  const width = span.to - span.from;
  const least = Math.min(LEAST_SPAN, nAccesses);
  const wanted = Math.max(
    least,
    Math.min(nAccesses, Math.round(width * factor)),
  );
  const place = width > 0 ? (about - span.from) / width : 0.5;
  return fit(Math.round(about - place * wanted), wanted, nAccesses);
}

/** Moves a window by a number of accesses, within the trace. */
export function panSpan(span: Span, by: number, nAccesses: number): Span {
  return fit(span.from + Math.round(by), span.to - span.from, nAccesses);
}

/**
 * The window between two accesses in either order, both inclusive, and not narrower than the smallest window.
 */
export function spanBetween(
  a: AccessIndex,
  b: AccessIndex,
  nAccesses: number,
): Span {
  const from = Math.min(a, b);
  const width = Math.max(a, b) - from + 1;
  const least = Math.min(LEAST_SPAN, nAccesses);
  if (width >= least) return fit(from, width, nAccesses);
  return fit(from - Math.floor((least - width) / 2), least, nAccesses);
}

function fit(from: number, width: number, nAccesses: number): Span {
  const size = Math.min(width, nAccesses);
  const start = Math.max(0, Math.min(from, nAccesses - size));
  return { from: start, to: start + size };
}
