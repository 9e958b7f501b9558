/** Misses by sets and ways as a heat map: which cells, how dark, and which of them are machines. */
import type { Surface } from "../../engine/generated/Surface";
import { count } from "../shared/format";
import { KINDS } from "./questions";
import type { WhatIfKinds } from "./questions";
import type { ArrayPlace, ArrayShape } from "./machine";

export interface SurfaceCell {
  readonly sets: number;
  readonly ways: number;
  readonly misses: number;
  /** 0 is least, 8 most. */
  readonly heat: number;
  /** It misses at first uses only. */
  readonly isCold: boolean;
}

export interface SurfaceGrid {
  readonly sets: readonly number[];
  readonly ways: readonly number[];
  /** A row for each number of sets. */
  readonly rows: readonly (readonly SurfaceCell[])[];
  readonly least: number;
  readonly most: number;
}

const WAYS = [1, 2, 4, 6, 8, 12, 16];
/** Numbers of sets that are shown: so many below the array's own, and so many above. */
const BELOW = 3;
const ABOVE = 2;
const MOST_SETS = 2048;

/** The cells around an array; `other` is what it is changed to. */
export function surfaceGrid(
  { rows, cold }: Surface,
  own: ArrayShape,
  other: ArrayShape = own,
): SurfaceGrid {
  const near = 2 ** Math.round(Math.log2(Math.min(own.sets, MOST_SETS)));
  const first = Math.max(1, Math.min(near / 2 ** BELOW, MOST_SETS / 32));
  const usual = Array.from(
    { length: BELOW + ABOVE + 1 },
    (_, k) => first * 2 ** k,
  );
  const told = (shape: ArrayShape) =>
    rows.some(({ sets, ways }) => sets === shape.sets && ways === shape.ways);
  const shapes = [own, other].filter(told);
  const sets = rising([...usual, ...shapes.map((shape) => shape.sets)]).filter(
    (n) => n <= MOST_SETS,
  );
  const ways = rising([...WAYS, ...shapes.map((shape) => shape.ways)]);
  const found = new Map(rows.map((row) => [`${row.sets} ${row.ways}`, row]));
  const misses = (s: number, w: number) => found.get(`${s} ${w}`)?.misses ?? 0;
  const all = sets.flatMap((s) => ways.map((w) => misses(s, w)));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const heat = heatOf(rising(all));
  const cell = (sets: number, ways: number): SurfaceCell => {
    const n = misses(sets, ways);
    return {
      sets,
      ways,
      misses: n,
      heat: heat(n),
      isCold: n === cold,
    };
  };
  return {
    sets,
    ways,
    least,
    most,
    rows: sets.map((s) => ways.map((w) => cell(s, w))),
  };
}

function rising(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

const DARKEST = 8;

/**
 * How dark a number is among those of the map, which rise. Half by its logarithm, so that a cliff shows as one; half
 * by its rank, so that cells differ at the top of a cliff, too.
 */
function heatOf(numbers: readonly number[]): (n: number) => number {
  const [least, most] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  const low = Math.max(1, least);
  return (n) => {
    if (n <= least || most <= low) return 0;
    const size = Math.log(Math.max(n, low) / low) / Math.log(most / low);
    const rank = numbers.indexOf(n) / (numbers.length - 1);
    return Math.ceil(((size + rank) / 2) * DARKEST);
  };
}

/** Why the array of a cell misses otherwise in the machine; `undefined` where it does not. */
export function elsewhere(
  { level, array }: ArrayPlace,
  kinds: WhatIfKinds,
): string | undefined {
  const others = KINDS.all.filter(
    (kind) =>
      !KINDS[kinds].includes(kind) && (array.serves?.includes(kind) ?? true),
  );
  const why = [
    ...(level === "l2" ? ["stands behind level 1"] : []),
    ...(others.length > 0
      ? [others.includes("fetch") ? "serves code, too" : "serves data, too"]
      : []),
  ];
  return why.length > 0 ? why.join(" and ") : undefined;
}

/** What a cell says: `128 sets × 12 ways, 1,536 entries: 3,342 misses`. */
export function cellSentence({
  sets,
  ways,
  misses,
  isCold,
}: SurfaceCell): string {
  const cold = isCold ? ", all of them compulsory" : "";
  return `${count(sets)} sets × ${ways} ways, ${count(sets * ways)} entries: ${count(misses)} misses${cold}`;
}
