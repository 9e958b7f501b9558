/** The words inside the chart of misses over size: each stands where it is whole and crosses no other. */
import { count, counted } from "../shared/format";
import type { CssPixels } from "../shared/units";
import { MARGIN } from "./curves";
import type { CurveBox, CurveLine, CurveScales, OwnPoint } from "./curves";

export interface ChartLabel {
  readonly id: string;
  readonly text: string;
  /** The baseline's place. */
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly anchor: "start" | "end";
  /** A name of the machine's own point, or of the tried size. */
  readonly isStrong: boolean;
}

export interface LabelFacts {
  readonly points: readonly OwnPoint[];
  /** The line whose first uses are the floor. */
  readonly base: CurveLine | undefined;
  /** Whether these first uses are the pages of the whole trace. */
  readonly isOfWhole: boolean;
  /** Entries of the changed array. */
  readonly other: number | undefined;
}

/** Estimated widths of a letter, which are rather too large. */
const LETTER = { strong: 7.3, plain: 6.2 } as const;
const ASCENT: CssPixels = 11;
const DESCENT: CssPixels = 4;
/** The height of a line of text. */
const LINE: CssPixels = 16;
/** A plot of at most this width has short names. */
const NARROW: CssPixels = 400;
/** The radius of a point with its stroke. */
const DOT: CssPixels = 8;

/** The width of a digit of an axis, and the space between a number and the axis. */
const DIGIT: CssPixels = 6.7;
const GAP: CssPixels = 10;

/** The left margin that holds this number of an axis; it is at least `least`. */
export function tickMargin(n: number, least: CssPixels): CssPixels {
  return Math.max(least, Math.ceil(count(n).length * DIGIT) + GAP);
}

interface Box {
  readonly left: CssPixels;
  readonly right: CssPixels;
  readonly top: CssPixels;
  readonly bottom: CssPixels;
}

type Place = Pick<ChartLabel, "x" | "y" | "anchor">;

/** A label with its texts, longest first, and its places, best first. */
interface Wish {
  readonly id: string;
  readonly isStrong: boolean;
  readonly texts: readonly string[];
  readonly places: readonly Place[];
}

export function chartLabels(
  facts: LabelFacts,
  scales: CurveScales,
  { width, height }: CurveBox,
): readonly ChartLabel[] {
  const plot: Box = {
    left: MARGIN.left + 2,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  };
  const taken: Box[] = facts.points.map((point) => {
    const { x, y } = spot(point, scales);
    return { left: x - DOT, right: x + DOT, top: y - DOT, bottom: y + DOT };
  });
  return wishes(facts, scales, plot).flatMap((wish) => {
    const found = firstFree(wish, plot, taken);
    if (!found) return [];
    taken.push(boxOf(found));
    return [found];
  });
}

function firstFree(
  { id, isStrong, texts, places }: Wish,
  plot: Box,
  taken: readonly Box[],
): ChartLabel | undefined {
  for (const text of texts)
    for (const place of places) {
      const label = { id, isStrong, text, ...place };
      const box = boxOf(label);
      if (isInside(box, plot) && !taken.some((each) => overlap(each, box)))
        return label;
    }
  return undefined;
}

function wishes(
  { points, base, isOfWhole, other }: LabelFacts,
  scales: CurveScales,
  plot: Box,
): readonly Wish[] {
  const { x, y, low, wide } = scales;
  const rows = Array.from(
    { length: Math.max(1, Math.floor((plot.bottom - plot.top) / LINE)) },
    (_, row) => plot.top + LINE * row + ASCENT + 2,
  );
  const start = (at: CssPixels, y: CssPixels): Place => ({
    x: at,
    y,
    anchor: "start",
  });
  const end = (at: CssPixels, y: CssPixels): Place => ({
    x: at,
    y,
    anchor: "end",
  });
  const own = points.map((point): Wish => {
    const { x: px, y: py } = spot(point, scales);
    // Curves fall to the right, so the best places are above on the right and below on the left.
    const near = [
      start(px + 12, py - 12),
      end(px - 2, py + 24),
      end(px - 12, py - 12),
      start(px + 12, py + 24),
    ];
    const far = rows.flatMap((row) => [end(px - 12, row), start(px + 12, row)]);
    const sides = rows.flatMap((row) => [
      end(plot.right, row),
      start(plot.left + 4, row),
    ]);
    return {
      id: point.id,
      isStrong: true,
      texts: (plot.right - plot.left < NARROW
        ? [point.array]
        : [point.name, point.array]
      ).map((name) => `${name}: ${count(point.misses)}`),
      places: [...near, ...byDistance([...far, ...sides], py)],
    };
  });
  const tried: Wish[] =
    other === undefined
      ? []
      : [
          {
            id: "other",
            isStrong: true,
            texts: ["what if"],
            places: [...rows].reverse().flatMap((row) => {
              return [start(x(other) + 5, row), end(x(other) - 5, row)];
            }),
          },
        ];
  if (!base || base.cold === 0) return [...own, ...tried];
  const floor = y(Math.max(low, base.cold));
  const cold = count(base.cold);
  const compulsory: Wish = {
    id: "compulsory",
    isStrong: false,
    texts: [
      `compulsory misses: ${cold}, one per page`,
      `compulsory misses: ${cold}`,
      `compulsory: ${cold}`,
    ],
    places: [
      start(plot.left + 4, floor + 15),
      start(plot.left + 4, floor - 6),
      end(plot.right - 4, floor + 15),
      end(plot.right - 4, floor - 6),
    ],
  };
  const footprint = `footprint: ${counted(base.cold, "page")}`;
  const edge = x(base.cold);
  const whole: Wish[] = isOfWhole
    ? [
        {
          id: "footprint",
          isStrong: false,
          texts: [base.cold > wide ? `${footprint} →` : footprint],
          places:
            base.cold > wide
              ? rows.map((row) => end(plot.right - 2, row))
              : rows.flatMap((row) => [
                  end(edge - 6, row),
                  start(edge + 6, row),
                ]),
        },
      ]
    : [];
  return [...own, ...tried, ...whole, compulsory];
}

function spot(
  { entries, misses }: OwnPoint,
  { x, y, low }: CurveScales,
): { readonly x: CssPixels; readonly y: CssPixels } {
  return { x: x(entries), y: y(Math.max(low, misses)) };
}

function byDistance(places: readonly Place[], y: CssPixels): readonly Place[] {
  return [...places].sort((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y));
}

function boxOf({ text, x, y, anchor, isStrong }: ChartLabel): Box {
  const long = text.length * LETTER[isStrong ? "strong" : "plain"];
  const left = anchor === "start" ? x : x - long;
  return { left, right: left + long, top: y - ASCENT, bottom: y + DESCENT };
}

function isInside(box: Box, plot: Box): boolean {
  return (
    box.left >= plot.left &&
    box.right <= plot.right &&
    box.top >= plot.top &&
    box.bottom <= plot.bottom
  );
}

function overlap(a: Box, b: Box): boolean {
  return (
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
  );
}
