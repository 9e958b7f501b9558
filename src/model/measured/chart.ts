/** Counters over time: one small chart per event, as a step line over the intervals. */
import type { EventOverTime } from "../../engine/generated/EventOverTime";
import type { OverTime } from "../../engine/generated/OverTime";
import { short } from "./counters";
import { count, fixed } from "../shared/format";
import type { CssPixels } from "../shared/units";

export interface SmallChart {
  readonly name: string;
  readonly isEstimate: boolean;
  /** The line as a path; intervals without a value are gaps. */
  readonly line: string;
  /** The area below the line. */
  readonly area: string;
  /** The highest rate as text. */
  readonly most: string;
  readonly points: readonly SmallPoint[];
}

export interface SmallPoint {
  /** The positions of the intervals, left to right. */
  readonly from: CssPixels;
  readonly to: CssPixels;
  readonly y: CssPixels | undefined;
  /** The value of an interval: `2.00 – 3.00 s: 1,204 per s`. */
  readonly text: string;
}

export interface Room {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** The rates of an event, each interval as wide as it lasted; the axis starts at 0. */
export function smallChart(
  { ends }: Pick<OverTime, "ends">,
  event: EventOverTime,
  { width, height }: Room,
): SmallChart {
  const total = ends.at(-1) ?? 0;
  const starts = [0, ...ends.slice(0, -1)];
  const rates = event.values.map((value, at) => {
    const seconds = (ends[at] ?? 0) - (starts[at] ?? 0);
    return value === null || seconds <= 0 ? undefined : value / seconds;
  });
  const highest = Math.max(0, ...rates.map((rate) => rate ?? 0));
  const x = (seconds: number) => round((seconds / (total || 1)) * width);
  const y = (rate: number) =>
    round(height - (highest > 0 ? rate / highest : 0) * (height - 1) - 0.5);
  const points = rates.map((rate, at) => ({
    from: x(starts[at] ?? 0),
    to: x(ends[at] ?? 0),
    y: rate === undefined ? undefined : y(rate),
    text: `${seconds(starts[at] ?? 0)} – ${seconds(ends[at] ?? 0)} s: ${
      rate === undefined ? "not counted" : perSecond(rate, event)
    }`,
  }));
  const { line, area } = steps(points, height);
  return {
    name: event.name,
    isEstimate: event.is_estimate,
    line,
    area,
    most: perSecond(highest, event),
    points,
  };
}

/** Counts per second; for a unit of time, how much of it passed per second. */
function perSecond(rate: number, { unit, is_estimate }: EventOverTime): string {
  const mark = is_estimate ? "~" : "";
  const number = rate >= 100 ? count(rate) : short(rate);
  return `${mark}${number}${unit === "" ? "" : ` ${unit}`} per s`;
}

function seconds(at: number): string {
  return fixed(at, at < 9.995 ? 2 : at < 99.95 ? 1 : 0);
}

/** Each group of adjacent intervals with values is one step line, and one area down to 0. */
function steps(points: readonly SmallPoint[], height: CssPixels) {
  let line = "";
  let area = "";
  let start: CssPixels | undefined;
  points.forEach(({ from, to, y }, at) => {
    if (y === undefined) return;
    const begins = start === undefined;
    start ??= from;
    line += begins ? `M${from} ${y}H${to}` : `V${y}H${to}`;
    area += begins ? `M${from} ${height}V${y}H${to}` : `V${y}H${to}`;
    if (points[at + 1]?.y === undefined) {
      area += `V${height}H${start}Z`;
      start = undefined;
    }
  });
  return { line, area };
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
