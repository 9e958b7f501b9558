/** Misses over the size of an array: lines by page size, the machine's own points, and what is read off at a size. */
import { scaleLog } from "d3-scale";
import type { BehindCurve } from "../../engine/generated/BehindCurve";
import type { Curve } from "../../engine/generated/Curve";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RunReport } from "../../engine/generated/RunReport";
import { count, counted, memorySize, percentOf } from "../shared/format";
import { bytesOf } from "../shared/pageSizes";
import type { CssPixels } from "../shared/units";
import { KINDS } from "./questions";
import type { WhatIfKinds } from "./questions";
import { arraysOf, serves, shapeOf, shapeText } from "./machine";

/** Misses by entries, rising; between two sizes a line goes straight. */
export interface CurveLine {
  readonly id: string;
  /** `4K pages`. */
  readonly name: string;
  /** 0 is the smallest page size: its colour and its dashes. Missing = a second level. */
  readonly rank?: number;
  readonly points: readonly (readonly [number, number])[];
  /** First uses: the misses that no size avoids. */
  readonly cold: number;
  readonly translations: number;
  /** Of a second level: those that level 1 does not hold, its lookups. */
  readonly lookups?: number;
}

/** Where the machine stands: counted in the replay. */
export interface OwnPoint {
  readonly id: string;
  /** `STLB 128 × 12-way`. */
  readonly name: string;
  /** `STLB`, where there is little room. */
  readonly array: string;
  readonly entries: number;
  readonly misses: number;
}

export function curveLine(
  size: PageSize,
  rank: number,
  { misses, cold, translations }: Curve,
): CurveLine {
  const name = `${size} pages`;
  return { id: size, name, rank, points: misses, cold, translations };
}

export function behindLine(curve: BehindCurve): CurveLine {
  const { misses, cold, translations, l1_misses: lookups } = curve;
  const name = "second level, behind this L1";
  return { id: "behind", name, points: misses, cold, translations, lookups };
}

/** Misses of an array of so many entries: those of the next size that is told at or below it. */
export function missesAt({ points }: CurveLine, entries: number): number {
  let found = points[0]?.[1] ?? 0;
  for (const [size, misses] of points) {
    if (size > entries) break;
    found = misses;
  }
  return found;
}

/** The arrays of the machine that serve these accesses, as the run counted them. */
export function ownPoints(
  machine: MachineConfig,
  report: RunReport,
  kinds: WhatIfKinds,
  size: PageSize,
): readonly OwnPoint[] {
  const wanted = KINDS[kinds];
  const sum = (of: (kind: keyof RunReport["kinds"]) => number) =>
    wanted.reduce((all, kind) => all + of(kind), 0);
  const asked = arraysOf(machine).filter(({ array }) =>
    serves(array, wanted, size),
  );
  const first = (level: "l1" | "l2") =>
    asked.find((place) => place.level === level);
  const point = (level: "l1" | "l2", misses: number): OwnPoint[] => {
    const place = first(level);
    if (!place) return [];
    const { id, name, array } = place;
    const text = `${name} ${shapeText(array)}`;
    const { entries } = shapeOf(array);
    return [{ id, name: text, array: name, entries, misses }];
  };
  return [
    ...point(
      "l1",
      sum((kind) => {
        const { translations, l1_hits: hits } = report.kinds[kind];
        return translations - hits;
      }),
    ),
    ...point(
      "l2",
      sum((kind) => report.kinds[kind].walks),
    ),
  ];
}

export interface CurveBox {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** Space around the plot. */
export const MARGIN = { left: 62, right: 14, top: 34, bottom: 40 } as const;

/** The scales of the picture: both are logarithmic, and no misses stand on the lowest line. */
export function curveScales(
  lines: readonly CurveLine[],
  points: readonly OwnPoint[],
  { width, height }: CurveBox,
) {
  const sizes = [
    ...lines.map(({ points }) => points.at(-1)?.[0] ?? 1),
    ...points.map(({ entries }) => entries),
  ];
  const misses = [
    ...lines.flatMap(({ points }) => points.map(([, n]) => n)),
    ...points.map((point) => point.misses),
  ];
  const most = Math.max(64, ...sizes);
  // The tail is flat: a doubling of it is enough.
  const wide = 2 ** Math.ceil(Math.log2(most * 1.2));
  const tall = 10 ** Math.ceil(Math.log10(Math.max(10, ...misses)));
  const least = Math.min(tall / 10, ...misses.filter((n) => n > 0));
  const low = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const x = scaleLog()
    .base(2)
    .domain([1, wide])
    .range([MARGIN.left, width - MARGIN.right]);
  const y = scaleLog()
    .domain([low, tall])
    .range([height - MARGIN.bottom, MARGIN.top])
    .clamp(true);
  return { x, y, wide, low, tall };
}

export type CurveScales = ReturnType<typeof curveScales>;

/** Powers of two of the x axis with room for their words. */
export function sizeTicks({ wide }: CurveScales, width: CssPixels): number[] {
  const doublings = Math.log2(wide);
  const step = Math.max(1, Math.ceil(doublings / Math.max(2, width / 64)));
  const ticks: number[] = [];
  for (let k = 0; k <= doublings; k += step) ticks.push(2 ** k);
  return ticks;
}

export function missTicks({ low, tall }: CurveScales): number[] {
  const ticks: number[] = [];
  for (let n = low; n <= tall; n *= 10) ticks.push(n);
  return ticks;
}

/** The path of a line; it goes on flat to the end of the axis. */
export function curvePath({ points }: CurveLine, scales: CurveScales): string {
  const { x, y, low, wide } = scales;
  const place = (size: number, misses: number) =>
    `${x(size).toFixed(1)} ${y(Math.max(low, misses)).toFixed(1)}`;
  const path = points.map(([size, misses]) => place(size, misses));
  const last = points.at(-1);
  if (!last) return "";
  return `M${path.join("L")}L${place(wide, last[1])}`;
}

/** What is said of one size: every line, exact. */
export interface SizeReading {
  readonly entries: number;
  readonly title: string;
  readonly rows: readonly {
    readonly id: string;
    readonly name: string;
    readonly misses: string;
    readonly share: string;
    /** Of the lookups of a second level; else empty. */
    readonly local: string;
    readonly reach: string;
  }[];
}

/** The sizes that can be read: those of any line. */
export function readableSizes(lines: readonly CurveLine[]): readonly number[] {
  const sizes = lines.flatMap(({ points }) => points.map(([size]) => size));
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** The nearest of rising sizes, as a log axis sees them. */
export function nearestSize(sizes: readonly number[], wanted: number): number {
  let best = sizes[0] ?? 1;
  for (const size of sizes)
    if (Math.abs(Math.log(size / wanted)) < Math.abs(Math.log(best / wanted)))
      best = size;
  return best;
}

export function readAt(
  lines: readonly CurveLine[],
  entries: number,
): SizeReading {
  return {
    entries,
    title: counted(entries, "entry", "entries"),
    rows: lines.map((line) => {
      const misses = missesAt(line, entries);
      return {
        id: line.id,
        name: line.name,
        misses: count(misses),
        share: percentOf(misses, line.translations),
        local:
          line.lookups === undefined ? "" : percentOf(misses, line.lookups),
        reach:
          line.rank === undefined ? "" : memorySize(entries * bytesOf(line.id)),
      };
    }),
  };
}

/** A name in the plot, where it crosses neither the curves, which fall to the right, nor the edges. */
export interface PointLabel {
  readonly text: string;
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly anchor: "start" | "end";
}

/** A letter of a label, about. */
const LETTER: CssPixels = 6.6;
const NARROW: CssPixels = 480;

/** Above the curve to the right of the point, else below it to the left. */
export function pointLabel(
  point: OwnPoint,
  { x, y, low }: CurveScales,
  width: CssPixels,
): PointLabel {
  const [px, py] = [x(point.entries), y(Math.max(low, point.misses))];
  const name = width < NARROW ? point.array : point.name;
  const text = `${name}: ${count(point.misses)}`;
  const long = text.length * LETTER;
  const isRight = px + 12 + long > width - MARGIN.right;
  return isRight
    ? {
        text,
        x: Math.max(px - 2, MARGIN.left + long),
        y: py + 24,
        anchor: "end",
      }
    : { text, x: px + 12, y: py - 12, anchor: "start" };
}

/** The picture in a sentence, for those who do not see it. */
export function curveSentence(
  lines: readonly CurveLine[],
  points: readonly OwnPoint[],
): string {
  const told = lines.map((line) => {
    const [first] = line.points;
    return `${line.name}: ${count(first?.[1] ?? 0)} with one entry, ${count(line.cold)} at least`;
  });
  const own = points.map(
    ({ name, misses }) => `${name}: ${count(misses)}, counted`,
  );
  return `Misses over entries, fully associative LRU. ${[...told, ...own].join("; ")}.`;
}

/** All sizes that can be read, and the machine's own: for a file. */
export function allRows(
  lines: readonly CurveLine[],
  points: readonly OwnPoint[],
): readonly (readonly (string | number)[])[] {
  const sizes = new Set([
    ...readableSizes(lines),
    ...points.map(({ entries }) => entries),
  ]);
  return [...sizes]
    .sort((a, b) => a - b)
    .map((size) => [size, ...lines.map((line) => missesAt(line, size))]);
}

/** A table of the powers of two and the machine's own sizes. */
export function curveRows(
  lines: readonly CurveLine[],
  points: readonly OwnPoint[],
): readonly (readonly (string | number)[])[] {
  const last = Math.max(1, ...lines.map((l) => l.points.at(-1)?.[0] ?? 1));
  const powers = Array.from(
    { length: Math.floor(Math.log2(last)) + 1 },
    (_, k) => 2 ** k,
  );
  const sizes = new Set([...powers, ...points.map((p) => p.entries), last]);
  return [...sizes]
    .sort((a, b) => a - b)
    .map((size) => [size, ...lines.map((line) => missesAt(line, size))]);
}
