/** Rows of a sweep over a numeric field as a chart: one line, or one per value of the other field. */
import type { Chart } from "../../engine/generated/Chart";
import type { Scale } from "../../engine/generated/Scale";
import type { Series } from "../../engine/generated/Series";
import { same } from "../shared/mergePatch";
import { plainWindow } from "../shared/runWindow";
import { COUNTERS } from "./sweep";
import type { Counter, SweepRow, SweepSetup } from "./sweep";

/** With fewer points there is no curve. */
const LEAST = 3;
/** More lines cannot be distinguished. */
const MOST_LINES = 6;

/** `undefined` if no field has enough numbers. `own` is marked if it is a row. */
export function sweepChart(
  names: readonly string[],
  rows: readonly SweepRow[],
  counter: Counter,
  own?: SweepSetup,
): Chart | undefined {
  const axis = [0, 1].find((each) => isCourse(rows, each));
  if (axis === undefined) return undefined;
  const other = 1 - axis;
  const lines = new Map<string, [number, number][]>();
  for (const { at, report } of rows) {
    if (!report) continue;
    const name = at[other] ?? counter;
    const points = lines.get(name) ?? [];
    points.push([Number(at[axis]), COUNTERS[counter](report)]);
    lines.set(name, points);
  }
  if (lines.size > MOST_LINES) return undefined;
  const xs = [...new Set(rows.map(({ at }) => Number(at[axis])))];
  const here = own && rows.find(({ setup }) => isSame(setup, own));
  return {
    title: `${counter} by ${names[axis] ?? "field"}`,
    x: { label: names[axis] ?? "field", scale: scaleOf(xs) },
    y: { label: counter, scale: "linear" },
    series: [...lines].map(([value, points]): Series => ({
      name:
        lines.size > 1 || names[other] !== undefined
          ? `${names[other] ?? ""} ${value}`.trim()
          : value,
      kind: "simulated",
      points: points.sort(([a], [b]) => a - b),
    })),
    marks: here ? [{ x: Number(here.at[axis]), label: "this machine" }] : [],
  };
}

/** Returns whether both count the same part of the trace. */
function isSame(one: SweepSetup, other: SweepSetup): boolean {
  return same(written(one), written(other));
}

/** The setup in the form of a row, which says what a replay may omit. */
function written({ machine, os, cores = "one", window }: SweepSetup) {
  const part = window && plainWindow(window);
  return { machine, os, cores, ...(part && { window: part }) };
}

/** Returns whether the values of an axis are numbers, and enough of them. */
function isCourse(rows: readonly SweepRow[], axis: number): boolean {
  const values = new Set(rows.map(({ at }) => at[axis] ?? ""));
  return (
    values.size >= LEAST &&
    [...values].every((value) => value !== "" && Number.isFinite(Number(value)))
  );
}

/** Sizes that double are at equal distances. */
function scaleOf(xs: readonly number[]): Scale {
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  return least > 0 && most >= 8 * least ? "log2" : "linear";
}
