/** Misses by sets and ways as a heat map: its cells, their shades, and which of them are machines. */
import type { Surface } from "../../engine/generated/Surface";
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import { INDEX_WORDS } from "../config/choices";
import { counted } from "../shared/format";
import { KINDS } from "./questions";
import type { WhatIfKinds } from "./questions";
import type { ArrayPlace, ArrayShape } from "./machine";

export interface SurfaceCell {
  readonly sets: number;
  readonly ways: number;
  readonly misses: number;
  /** The shade from 0, the least, to 8, the most. */
  readonly heat: number;
  /** Whether all misses are first uses. */
  readonly isCold: boolean;
}

export interface SurfaceGrid {
  readonly sets: readonly number[];
  readonly ways: readonly number[];
  /** One row per number of sets. */
  readonly rows: readonly (readonly SurfaceCell[])[];
  readonly least: number;
  readonly most: number;
}

const WAYS = [1, 2, 4, 6, 8, 12, 16];
/** How many numbers of sets are shown below the array's own, and how many above. */
const BELOW = 3;
const ABOVE = 2;
const MOST_SETS = 2048;

/** The cells around an array; `other` is the changed shape. */
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
  const isCounted = (shape: ArrayShape) =>
    rows.some(({ sets, ways }) => sets === shape.sets && ways === shape.ways);
  const shapes = [own, other].filter(isCounted);
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
 * The shade of a number among the map's rising numbers. Half depends on its logarithm, so that a cliff is
 * visible; half on its rank, so that cells above a cliff differ, too.
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

/** Why the array of a cell has other misses in the machine; `undefined` if it does not. */
export function elsewhere(
  { level, array }: ArrayPlace,
  kinds: WhatIfKinds,
): string | undefined {
  const others = KINDS.all.filter(
    (kind) =>
      !KINDS[kinds].includes(kind) && (array.serves?.includes(kind) ?? true),
  );
  const why = [
    ...(level === "l2" ? ["level 1 filters accesses"] : []),
    ...(others.length > 0
      ? [others.includes("fetch") ? "code shares it" : "data shares it"]
      : []),
  ];
  return why.length > 0 ? why.join(" and ") : undefined;
}

/** The index and the replacement of every array that the map counts. */
export const MAP_RULES = `${INDEX_WORDS["low-bits"]}, LRU`;

/** What an array has instead of the map's rules: `an xor index and fifo replacement`; `undefined` if it has them. */
export function otherRules({
  index = "low-bits",
  replacement = "lru",
}: Pick<ArrayConfig, "index" | "replacement">): string | undefined {
  const rules = [
    ...(index === "low-bits"
      ? []
      : [
          typeof index === "object"
            ? "masks"
            : `an ${INDEX_WORDS[index]} index`,
        ]),
    ...(replacement === "lru" ? [] : [`${replacement} replacement`]),
  ];
  return rules.length > 0 ? rules.join(" and ") : undefined;
}

/**
 * Why the map's cells are not the counts of the array, in the machine or as it is tried; `undefined` if the
 * array has the map's rules.
 */
export function rulesNote(
  { name, array }: Pick<ArrayPlace, "name" | "array">,
  tried: ArrayConfig | undefined,
): string | undefined {
  const rules = tried && otherRules(tried);
  if (rules !== undefined)
    return `The ${name} that you try has ${rules}: its counts are under “Effect”, not in this map.`;
  const own = otherRules(array);
  return own === undefined
    ? undefined
    : `The machine’s ${name} has ${own}: its misses are not those of this map.`;
}

/** Says that the map lacks the tried shape; `undefined` if it has it. */
export function missingShape(
  { sets, ways }: SurfaceGrid,
  tried: ArrayShape | undefined,
): string | undefined {
  if (!tried || (sets.includes(tried.sets) && ways.includes(tried.ways)))
    return undefined;
  return `The map ends before ${shapeText(tried)}, which you try.`;
}

function shapeText({ sets, ways }: Pick<ArrayShape, "sets" | "ways">): string {
  return `${counted(sets, "set")} × ${counted(ways, "way")}`;
}

/** The parts of a cell's text: `128 sets × 12 ways`, `1,536 entries`, `3,342 misses`. */
export function cellTexts({ sets, ways, misses }: SurfaceCell) {
  return {
    shape: shapeText({ sets, ways }),
    entries: counted(sets * ways, "entry", "entries"),
    misses: counted(misses, "miss", "misses"),
  };
}

/** The text of a cell: `128 sets × 12 ways, 1,536 entries: 3,342 misses`. */
export function cellSentence(cell: SurfaceCell): string {
  const { shape, entries, misses } = cellTexts(cell);
  const cold = cell.isCold ? ", all of them compulsory" : "";
  return `${shape}, ${entries}: ${misses}${cold}`;
}

const KIND_WORDS = { data: "access to data", fetch: "fetch" } as const;

/** What the number in a cell counts, and why the machine's number differs. */
export function cellNote(place: ArrayPlace, kinds: WhatIfKinds): string {
  const why = elsewhere(place, kinds);
  const accesses =
    kinds === "all" ? "every access" : `every ${KIND_WORDS[kinds]}`;
  const alone = `Each cell: misses of this array alone, with low bits as index and LRU, if it sees ${accesses}.`;
  return why === undefined
    ? `${alone} Click to put it into your machine.`
    : `${alone} Click to put it into your machine; its count will differ there, because ${why}.`;
}
