/**
 * Where the timeline's parts lie, in CSS pixels.
 *
 *     left gutter   plot
 *     4 %           ▂▅▂▁▁▃▃▃▃▃▃   bars
 *     0 %           ███████████
 *     stack   4 p   ▔▔▔  ▔▔▔▔▔▔   heat: one band of rows per region
 *     heap 1,744 p  ░▒ ▒▓░ ▓▓
 *     access        0   100,000   axis
 */
import type { Span } from "./counts";
import type { AccessIndex, CssPixels, Share, TextScale } from "../shared/units";

export interface TimelineLayout {
  readonly width: CssPixels;
  readonly height: CssPixels;
  readonly text: TextScale;
  /** The left and right edge of the plot; labels are on its left. */
  readonly left: CssPixels;
  readonly right: CssPixels;
  readonly barsTop: CssPixels;
  readonly barsBottom: CssPixels;
  readonly heatTop: CssPixels;
  readonly heatBottom: CssPixels;
}

/** The number of columns and rows to request from the engine. */
export interface Grid {
  readonly bins: number;
  readonly rows: number;
}

const RIGHT: CssPixels = 8;
const TOP: CssPixels = 4;
const BETWEEN: CssPixels = 10;
const AXIS: CssPixels = 20;
/** The bars' share of the height of bars and heat map. */
const BARS: Share = 0.385;
const BARS_MOST: CssPixels = 150;
const LEAST: CssPixels = 30;
/** A lower timeline has bars only. */
const BOTH: CssPixels = 48;

export function timelineLayout(
  width: CssPixels,
  height: CssPixels,
  compact = false,
  text: TextScale = 1,
): TimelineLayout {
  const left = (compact ? 38 : 116) * text;
  const shared = Math.max(LEAST, height - TOP - BETWEEN - AXIS * text);
  const bars =
    shared < BOTH ? shared : Math.min(BARS_MOST, Math.round(shared * BARS));
  const barsBottom = TOP + bars;
  return {
    width,
    height,
    text,
    left,
    right: Math.max(left + 40, width - RIGHT),
    barsTop: TOP,
    barsBottom,
    heatTop: barsBottom + BETWEEN,
    heatBottom: barsBottom + BETWEEN + shared - bars,
  };
}

/** Bins of 5 px (4 px on a phone), rows of 2 px. Sizes are those of the whole picture. */
export function gridFor(
  width: CssPixels,
  height: CssPixels,
  compact = false,
  text: TextScale = 1,
): Grid {
  const layout = timelineLayout(width, height, compact, text);
  const bins = Math.floor((layout.right - layout.left) / (compact ? 4 : 5));
  const rows = Math.floor((layout.heatBottom - layout.heatTop - 12) / 2);
  return { bins: Math.max(16, bins), rows: Math.max(12, rows) };
}

/** The x position of an access: its left edge if it is wider than a pixel. */
export function accessX(
  layout: TimelineLayout,
  span: Span,
  access: AccessIndex,
): CssPixels {
  const share =
    span.to > span.from ? (access - span.from) / (span.to - span.from) : 0;
  return layout.left + share * (layout.right - layout.left);
}

/** The access at an x position, within the span. */
export function accessAt(
  layout: TimelineLayout,
  span: Span,
  x: CssPixels,
): AccessIndex {
  const share = (x - layout.left) / (layout.right - layout.left);
  const access = Math.floor(span.from + share * (span.to - span.from));
  return Math.max(span.from, Math.min(span.to - 1, access));
}

/** The border between accesses nearest to an x position, from the start of the span to its end. */
export function borderAt(
  layout: TimelineLayout,
  span: Span,
  x: CssPixels,
): AccessIndex {
  const share = (x - layout.left) / (layout.right - layout.left);
  const border = Math.round(span.from + share * (span.to - span.from));
  return Math.max(span.from, Math.min(span.to, border));
}
