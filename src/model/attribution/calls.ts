/**
 * Call paths as a picture: rows of functions, each as wide as its share of the run. A function is below its caller.
 *
 * ```
 * │ all                          │
 * │ main                │ start  │
 * │ join         │ sort │
 * │ probe │ hash │
 * ```
 */
import { scaleLinear } from "d3-scale";
import type { AttributionCounts } from "../../engine/generated/AttributionCounts";
import type { AttributionView } from "../../engine/generated/AttributionView";
import type { CallPaths } from "../../engine/generated/CallPaths";
import { csv } from "../shared/csv";
import { translationCycles } from "./rows";
import type { AttributionFilter } from "./rows";

/** The id of translation cycles is `walk_cycles` in links. */
export type CallMeasure = "walk_cycles" | "walks" | "l1_misses" | "accesses";

export const MEASURES = [
  { value: "walk_cycles", label: "translation cycles" },
  { value: "walks", label: "walks" },
  { value: "l1_misses", label: "L1 misses" },
  { value: "accesses", label: "accesses" },
] as const satisfies readonly { value: CallMeasure; label: string }[];

/** What is measured of these counts. */
export function amount(counts: AttributionCounts, of: CallMeasure): number {
  return of === "walk_cycles" ? translationCycles(counts) : counts[of];
}

/** The node of all accesses, above the outermost functions. */
export const ALL = -1;
/** The node of accesses without a call path. */
export const UNKNOWN = -2;

/** A function of the picture. */
export interface CallFrame {
  /** The position of its node in the list of all; `ALL` and `UNKNOWN` have none. */
  readonly at: number;
  readonly name: string;
  /** Its row; 0 is the row of all accesses. */
  readonly depth: number;
  /** From 0 to 1, of the width of the picture. */
  readonly from: number;
  readonly to: number;
  /** Whether it is above the function that fills the width. */
  readonly isAbove: boolean;
  readonly own: AttributionCounts;
  readonly total: AttributionCounts;
  /** The step of the colour by the share of its own count in the run, 0 to 4. */
  readonly heat: number;
}

interface Tree {
  readonly children: ReadonlyMap<number, readonly number[]>;
  readonly paths: CallPaths;
}

const NONE: AttributionCounts = {
  accesses: 0,
  l1_misses: 0,
  walks: 0,
  faults: 0,
  exceptions: 0,
  l2_hit_cycles: 0,
  l2_miss_cycles: 0,
  walk_cycles: 0,
};

function treeOf(paths: CallPaths): Tree {
  const children = new Map<number, number[]>();
  paths.nodes.forEach(({ parent }, at) => {
    const caller = parent ?? ALL;
    children.set(caller, [...(children.get(caller) ?? []), at]);
  });
  return { children, paths };
}

/** Parts of a run of at least these shares have the next colour. */
const HEAT = [0.001, 0.01, 0.05, 0.2];

/** The frames of a picture in which the function `focus` has the whole width; the callers of each frame come before it. */
export function callFrames(
  { calls, total }: AttributionView,
  measure: CallMeasure,
  focus: number,
): readonly CallFrame[] {
  const tree = treeOf(calls);
  const all = amount(total, measure);
  const heatOf = (own: AttributionCounts) =>
    all === 0
      ? 0
      : HEAT.filter((least) => amount(own, measure) / all >= least).length;
  const frames: CallFrame[] = [];
  const add = (at: number, place: Pick<CallFrame, "depth" | "from" | "to">) => {
    const { name, own, total: sum } = nodeOf(calls, total, at);
    const isAbove = at !== focus && above.includes(at);
    const heat = heatOf(own);
    frames.push({ at, name, own, total: sum, heat, isAbove, ...place });
  };
  const above = callersOf(calls, focus);
  above.forEach((at, depth) => add(at, { depth, from: 0, to: 1 }));
  const place = (at: number, depth: number, from: number, to: number) => {
    const whole = amount(nodeOf(calls, total, at).total, measure);
    if (whole === 0) return;
    const scale = scaleLinear([0, whole], [from, to]);
    const below = [...(tree.children.get(at) ?? [])];
    if (at === ALL && amount(calls.unknown, measure) > 0) below.push(UNKNOWN);
    const widthOf = (child: number) =>
      amount(nodeOf(calls, total, child).total, measure);
    let sum = 0;
    for (const child of below.sort((a, b) => widthOf(b) - widthOf(a))) {
      const width = widthOf(child);
      if (width === 0) continue;
      const [start, end] = [scale(sum), scale(sum + width)];
      sum += width;
      add(child, { depth, from: start, to: end });
      if (child !== UNKNOWN) place(child, depth + 1, start, end);
    }
  };
  place(focus, above.length, 0, 1);
  return frames;
}

/** All accesses, then the callers of a function, then the function. */
function callersOf({ nodes }: CallPaths, focus: number): number[] {
  const found: number[] = [];
  for (let at = focus; at >= 0; at = nodes[at]?.parent ?? ALL)
    found.unshift(at);
  return [ALL, ...found];
}

function nodeOf(paths: CallPaths, all: AttributionCounts, at: number) {
  if (at === ALL) return { name: "all", own: NONE, total: all };
  if (at === UNKNOWN)
    return { name: "unknown", own: paths.unknown, total: paths.unknown };
  return paths.nodes[at] ?? { name: "", own: NONE, total: NONE };
}

/** The functions from the outermost to this one. */
export function callPath(paths: CallPaths, at: number): readonly string[] {
  return callersOf(paths, at)
    .slice(1)
    .map((node) => paths.nodes[node]?.name ?? "");
}

/** The accesses of a function in this path, and of all that it calls. */
export function callFilter(paths: CallPaths, at: number): AttributionFilter {
  const path = callPath(paths, at);
  return {
    by: "calls",
    start: "0x0",
    end: "0x0",
    label: path.at(-1) ?? "",
    path,
  };
}

/** Finds functions by a part of their names. `share` counts a call inside another that was found once. */
export function findCalls(
  { calls, total }: AttributionView,
  measure: CallMeasure,
  text: string,
) {
  const wanted = text.trim().toLowerCase();
  const found = new Set<number>();
  const within = new Set<number>();
  let sum = 0;
  calls.nodes.forEach(({ name, parent, total }, at) => {
    const isIn = parent !== null && within.has(parent);
    const isIt = wanted !== "" && name.toLowerCase().includes(wanted);
    if (isIt) found.add(at);
    if (isIt && !isIn) sum += amount(total, measure);
    if (isIt || isIn) within.add(at);
  });
  return { found, count: sum, of: amount(total, measure) };
}

/** All call paths, with their own counts and with those of what they call. */
export function callsCsv({ calls }: AttributionView): string {
  const keys = Object.keys(NONE) as (keyof AttributionCounts)[];
  const numbers = (counts: AttributionCounts) => keys.map((key) => counts[key]);
  const row = (
    path: string,
    own: AttributionCounts,
    total: AttributionCounts,
  ) => [path, ...numbers(own), ...numbers(total)];
  const { nodes, n_others, others, unknown } = calls;
  return csv([
    ["path", ...keys, ...keys.map((key) => `total ${key}`)],
    ...nodes.map(({ own, total }, at) =>
      row(folded(callPath(calls, at)), own, total),
    ),
    ...(n_others > 0 ? [row(`${n_others} others`, others, others)] : []),
    ...(unknown.accesses > 0 ? [row("unknown", unknown, unknown)] : []),
  ]);
}

/** A path in one word, as flamegraph.pl and speedscope read it. */
function folded(path: readonly string[]): string {
  return path.map((name) => name.replaceAll(";", ":")).join(";");
}
