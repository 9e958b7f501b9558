/**
 * Misses over the size of an array: lines by page size, the machine's own points, and the values at one size.
 */
import { scaleLog } from "d3-scale";
import type { SecondLevelCurve } from "../../engine/generated/SecondLevelCurve";
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

/** Misses by entries, rising; a line is straight between two sizes. */
export interface CurveLine {
  readonly id: string;
  /** The name of the line: `4K pages`. */
  readonly name: string;
  /** 0 is the smallest page size; it sets the colour and the dashes. Missing = a second level. */
  readonly rank?: number;
  readonly points: readonly (readonly [number, number])[];
  /** First uses: the misses that no size avoids. */
  readonly cold: number;
  readonly translations: number;
  /** For a second level: its lookups, which are the misses of level 1. */
  readonly lookups?: number;
  /** For a second level: accesses whose address the machine does not translate. */
  readonly refused?: number;
}

/** The machine's own point, as counted in the replay. */
export interface OwnPoint {
  readonly id: string;
  /** The array in full: `STLB 128 × 12-way`. */
  readonly name: string;
  /** The array in short: `STLB`. */
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

export function secondLevelLine(curve: SecondLevelCurve): CurveLine {
  const { misses, cold, translations, l1_misses: lookups, refused } = curve;
  const name = "second level, after this L1";
  const points = misses;
  return { id: "behind", name, points, cold, translations, lookups, refused };
}

/** The note about a line in the legend, next to its name. */
export function lineNote({ cold, refused = 0 }: CurveLine): string {
  const compulsory = `${count(cold)} compulsory`;
  return refused > 0
    ? `${compulsory}; ${counted(refused, "access", "accesses")} left out, as this machine does not translate the address`
    : compulsory;
}

/** A line per page size, and one for the second level, as far as they are known. */
export function curveLines(
  sizes: readonly PageSize[],
  curves: readonly (Curve | undefined)[],
  secondLevel: SecondLevelCurve | undefined,
): readonly CurveLine[] {
  const lines = sizes.flatMap((size, rank) => {
    const curve = curves[rank];
    return curve && curve.misses.length > 0
      ? [curveLine(size, rank, curve)]
      : [];
  });
  return secondLevel && secondLevel.misses.length > 0
    ? [...lines, secondLevelLine(secondLevel)]
    : lines;
}

/** Misses of an array with this many entries: those of the largest known size up to it. */
export function missesAt({ points }: CurveLine, entries: number): number {
  let found = points[0]?.[1] ?? 0;
  for (const [size, misses] of points) {
    if (size > entries) break;
    found = misses;
  }
  return found;
}

/** The arrays of the machine that serve these accesses, with the misses that the run counted. */
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

/** The space around the plot. */
export const MARGIN = { left: 62, right: 14, top: 34, bottom: 40 } as const;

/**
 * The scales of the picture: both are logarithmic, and zero misses are on the lowest line. `other` is the tried size,
 * which has a place as well.
 */
export function curveScales(
  lines: readonly CurveLine[],
  points: readonly OwnPoint[],
  { width, height }: CurveBox,
  other?: number,
) {
  const sizes = [
    ...lines.map(({ points }) => points.at(-1)?.[0] ?? 1),
    ...points.map(({ entries }) => entries),
    ...(other === undefined ? [] : [other]),
  ];
  const misses = [
    ...lines.flatMap(({ points }) => points.map(([, n]) => n)),
    ...points.map((point) => point.misses),
  ];
  const most = Math.max(64, ...sizes);
  // The tail is flat, so one doubling of it is enough.
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

/** The powers of two of the x axis with space for their labels. */
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

/** The path of a line, extended flat to the end of the axis. */
export function curvePath({ points }: CurveLine, scales: CurveScales): string {
  const { x, y, low, wide } = scales;
  const place = (size: number, misses: number) =>
    `${x(size).toFixed(1)} ${y(Math.max(low, misses)).toFixed(1)}`;
  const path = points.map(([size, misses]) => place(size, misses));
  const last = points.at(-1);
  if (!last) return "";
  return `M${path.join("L")}L${place(wide, last[1])}`;
}

/** The exact values of every line at one size. */
export interface SizeReading {
  readonly entries: number;
  readonly title: string;
  readonly rows: readonly {
    readonly id: string;
    readonly name: string;
    readonly misses: string;
    readonly share: string;
    /** The share of a second level's lookups; otherwise empty. */
    readonly local: string;
    readonly reach: string;
  }[];
}

/** The sizes that can be read: those of any line. */
export function readableSizes(lines: readonly CurveLine[]): readonly number[] {
  const sizes = lines.flatMap(({ points }) => points.map(([size]) => size));
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** The nearest of rising sizes, on a logarithmic axis. */
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

/** The picture as a sentence, for users who do not see it. */
export function curveSentence(
  lines: readonly CurveLine[],
  points: readonly OwnPoint[],
): string {
  const lineTexts = lines.map((line) => {
    const [first] = line.points;
    return `${line.name}: ${count(first?.[1] ?? 0)} with one entry, ${count(line.cold)} at least`;
  });
  const own = points.map(
    ({ name, misses }) => `${name}: ${count(misses)}, counted`,
  );
  return `Misses over entries, fully associative LRU. ${[...lineTexts, ...own].join("; ")}.`;
}

/** All sizes that can be read, and the machine's own, for a CSV file. */
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
