/** The layout of an experiment's chart: lines, marks, labels and ticks in CSS pixels. */
import { line as linePath } from "d3-shape";
import type { Chart } from "../../../engine/generated/Chart";
import type { Series } from "../../../engine/generated/Series";
import type { SeriesKind } from "../../../engine/generated/SeriesKind";
import { exact } from "../quantity";
import { axisScale } from "./scale";
import type { Tick } from "./scale";
import { lineStyles } from "./style";
import type { LineStyle } from "./style";
import type { CssPixels, TextScale } from "../units";

export interface ChartPoint {
  readonly x: CssPixels;
  readonly y: CssPixels;
  /** The ends of its error bar. */
  readonly bar?: readonly [low: CssPixels, high: CssPixels];
}

export interface ChartLine {
  readonly name: string;
  readonly kind: SeriesKind;
  readonly style: LineStyle;
  /** The line's path; empty if only points are drawn. */
  readonly path: string;
  readonly points: readonly ChartPoint[];
  readonly label: LineLabel | undefined;
}

export interface LineLabel {
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly text: string;
  /** The connection from the end of the line to its label, if the label had to move. */
  readonly leader: string | undefined;
}

/** A position on the x axis with a meaning. */
export interface ChartMark {
  readonly x: CssPixels;
  /** The y position of the label's baseline. */
  readonly y: CssPixels;
  readonly label: string;
  readonly anchor: "start" | "end";
}

/** The points at one x: an index into each line's points, if it has one there. */
export interface Stop {
  readonly value: number;
  readonly x: CssPixels;
  readonly values: readonly {
    readonly line: number;
    readonly value: number;
    readonly error: number | undefined;
    readonly y: CssPixels | undefined;
  }[];
}

export interface ChartLayout {
  readonly width: CssPixels;
  readonly height: CssPixels;
  readonly left: CssPixels;
  readonly right: CssPixels;
  readonly top: CssPixels;
  readonly bottom: CssPixels;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly lines: readonly ChartLine[];
  readonly marks: readonly ChartMark[];
  /** Stops by rising x. */
  readonly stops: readonly Stop[];
  /** Whether a legend names the lines, not labels at their ends. */
  readonly hasLegend: boolean;
}

/** Narrower charts have a legend. */
const DIRECT: CssPixels = 520;
/** The line height of text. */
const LINE: CssPixels = 15;
/** Estimated width of a letter. */
const LETTER: CssPixels = 6.4;

export interface ChartRoom {
  readonly width: CssPixels;
  readonly height: CssPixels;
  readonly scale?: TextScale;
  /** A small picture has no names of axes, lines and marks, and few ticks. */
  readonly isSmall?: boolean;
}

export function chartLayout(
  chart: Chart,
  { width, height, scale = 1, isSmall = false }: ChartRoom,
): ChartLayout {
  const { series } = chart;
  const letter = LETTER * scale;
  const lineHeight = LINE * scale;
  const xs = [
    ...series.flatMap(({ points }) => points.map(([x]) => x)),
    ...chart.marks.map(({ x }) => x),
  ];
  const ys = series.flatMap(({ points, errors }) =>
    points.flatMap(([, y], at) => {
      const error = errors?.[at];
      return error === undefined ? y : [y - error, y + error];
    }),
  );
  const longest = Math.max(0, ...series.map((line) => seriesName(line).length));
  const hasLegend = isSmall || width < DIRECT * scale || series.length < 2;
  const labelRoom = hasLegend
    ? isSmall
      ? 24
      : 14
    : Math.min(width * 0.34, longest * letter + 26);
  const right = width - labelRoom;

  // The left edge is computed last, since it depends on the width of tick labels.
  const probe = axisScale(chart.y, ys, {
    from: 100,
    to: 0,
    gap: 100 / 6,
    zero: true,
  });
  const widest = Math.max(0, ...probe.ticks.map(({ label }) => label.length));
  const left = Math.max(34, widest * letter + 14);

  const x = axisScale(chart.x, xs, {
    from: left,
    to: right,
    gap: (isSmall ? 84 : 64) * scale,
    zero: false,
  });
  const marks = placeMarks(chart, x.place, { left, right, lineHeight, letter });
  const rows = isSmall ? 0 : Math.max(0, ...marks.map(({ row }) => row + 1));
  const top = isSmall ? 10 : lineHeight + 12 + rows * lineHeight;
  const bottom = height - (isSmall ? 1 : 2) * lineHeight - 10;
  const y = axisScale(chart.y, ys, {
    from: bottom,
    to: top,
    gap: 34 * scale,
    zero: true,
  });

  const styles = lineStyles(series);
  const placed = series.map((each, at) => {
    const { kind, points, errors } = each;
    const name = seriesName(each);
    const seen = points.flatMap(([px, py], at): ChartPoint[] => {
      if (x.hides(px) || y.hides(py)) return [];
      const error = errors?.[at];
      const point = { x: x.place(px), y: y.place(py) };
      if (error === undefined) return [point];
      // A logarithmic axis has no place for 0.
      const low = y.hides(py - error) ? bottom : y.place(py - error);
      return [{ ...point, bar: [low, y.place(py + error)] }];
    });
    // There is a style per line.
    const style = styles[at] as LineStyle;
    const draw = linePath<ChartPoint>(
      (p) => round(p.x),
      (p) => round(p.y),
    );
    return {
      name,
      kind,
      style,
      points: seen,
      path: style.width > 0 ? (draw(seen) ?? "") : "",
    };
  });
  const labels = hasLegend
    ? []
    : placeLabels(placed, { right, top, bottom, lineHeight });
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    xTicks: x.ticks,
    yTicks: y.ticks,
    lines: placed.map((line, at) => ({ ...line, label: labels[at] })),
    marks: marks.map(({ row, ...mark }) => ({
      ...mark,
      y: lineHeight + 4 + (row + 1) * lineHeight - 4,
    })),
    stops: stopsOf(chart, x.place, (value) =>
      y.hides(value) ? undefined : y.place(value),
    ),
    hasLegend,
  };
}

/** The names of published points and numbers on paper say so. */
export function seriesName({ name, kind }: Series): string {
  if (kind === "published" && !/publish/i.test(name))
    return `${name} (published)`;
  if (kind === "derived" && !/paper|formula|closed form/i.test(name))
    return `${name} (on paper)`;
  return name;
}

const round = (n: number) => Math.round(n * 100) / 100;

interface Edges {
  readonly left: CssPixels;
  readonly right: CssPixels;
  readonly lineHeight: CssPixels;
  readonly letter: CssPixels;
}

/** Labels that would touch move one row down. */
function placeMarks(
  { marks }: Chart,
  place: (x: number) => CssPixels,
  { left, right, letter }: Edges,
) {
  const ends: CssPixels[] = [];
  return [...marks]
    .sort((a, b) => a.x - b.x)
    .map(({ x, label }) => {
      const at = place(x);
      const wide = label.length * letter + 8;
      const anchor = at + wide > right && at - wide > left ? "end" : "start";
      const from = anchor === "start" ? at : at - wide;
      const free = ends.findIndex((end) => end < from);
      const row = free === -1 ? ends.length : free;
      ends[row] = from + wide;
      return { x: at, label, anchor, row } as const;
    });
}

interface LabelRoom {
  readonly right: CssPixels;
  readonly top: CssPixels;
  readonly bottom: CssPixels;
  readonly lineHeight: CssPixels;
}

/** Places a label at the end of each line, moved up or down if another is in its place. */
function placeLabels(
  lines: readonly Omit<ChartLine, "label">[],
  { right, top, bottom, lineHeight }: LabelRoom,
): readonly (LineLabel | undefined)[] {
  const wanted = lines
    .flatMap(({ points, name }, line) => {
      const end = points.at(-1);
      return end ? [{ line, name, end, y: end.y }] : [];
    })
    .sort((a, b) => a.y - b.y);
  let least = top;
  for (const label of wanted) {
    label.y = Math.max(label.y, least);
    least = label.y + lineHeight;
  }
  let most = bottom;
  for (const label of [...wanted].reverse()) {
    label.y = Math.min(label.y, most);
    most = label.y - lineHeight;
  }
  return lines.map((_, line) => {
    const label = wanted.find((each) => each.line === line);
    if (!label) return undefined;
    const { end, y, name } = label;
    const x = right + 18;
    const isMoved = Math.abs(y - end.y) > 3 || right - end.x > 8;
    const leader = isMoved
      ? `M${round(end.x + 6)} ${round(end.y)}L${round(Math.max(end.x + 6, right + 2))} ${round(end.y)}L${round(x - 4)} ${round(y)}`
      : undefined;
    return { x, y: round(y), text: name, leader };
  });
}

function stopsOf(
  { series }: Chart,
  placeX: (x: number) => CssPixels,
  placeY: (y: number) => CssPixels | undefined,
): readonly Stop[] {
  const at = new Map<number, Stop["values"][number][]>();
  series.forEach(({ points, errors }, line) => {
    points.forEach(([x, value], nth) => {
      const there = at.get(x) ?? [];
      there.push({ line, value, error: errors?.[nth], y: placeY(value) });
      at.set(x, there);
    });
  });
  return [...at]
    .sort(([a], [b]) => a - b)
    .map(([value, values]) => ({ value, x: placeX(value), values }));
}

/** A number of a chart in full, with its error: `1.017 ± 0.244`. */
export function stopText({
  value,
  error,
}: Pick<Stop["values"][number], "value" | "error">): string {
  return error === undefined
    ? exact(value)
    : `${exact(value)} ± ${exact(error)}`;
}

/** The stop nearest to a position; -1 if there is none. */
export function nearestStop(stops: readonly Stop[], x: CssPixels): number {
  let best = -1;
  stops.forEach((stop, at) => {
    const known = stops[best];
    if (!known || Math.abs(stop.x - x) < Math.abs(known.x - x)) best = at;
  });
  return best;
}
