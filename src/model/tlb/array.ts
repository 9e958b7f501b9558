/**
 * The picture of one TLB array or walk cache: the position, the content and the age of each slot. Slot
 * numbers are `set * ways + way`, as in the engine.
 */
import type { StructureView } from "../../engine/generated/StructureView";
import { count, counted } from "../shared/format";
import { hex, hexTail } from "../shared/hex";
import type { AccessIndex } from "../shared/units";

/**
 * The contents of one array as columns with one element per slot; the engine's columns have this shape. A
 * `keyShift` of 0 marks an empty slot.
 */
export interface ArrayColumns {
  readonly keys: BigUint64Array;
  /** The lowest address bit of the key. */
  readonly keyShift: Uint8Array;
  /**
   * 1 if the entry is a page-table entry inside a TLB array, 2 if it is prefetched and not used yet, 3 if it translates a
   * guest-physical page inside a TLB array.
   */
  readonly table: Uint8Array;
  readonly filledAt: Uint32Array;
  readonly usedAt: Uint32Array;
  readonly hits: Uint32Array;
  /** By set: the way that the next fill would take. */
  readonly next: Uint16Array;
}

/** Up to this many slots, in at most `MAX_COLUMNS` columns, entries are drawn as cells with text. */
const MAX_CELLS = 256;
const MAX_COLUMNS = 16;
const NARROW_COLUMNS = 8;
/** Sets with more ways are folded, so that the picture stays a band. */
const MAX_ROWS = 32;

/**
 * Rows and columns of an array. A column is a set and a row is a way, but a set with many ways takes `fold`
 * columns: a fully associative array becomes a grid of ways.
 */
export interface ArrayLayout {
  readonly kind: "cells" | "map";
  readonly columns: number;
  readonly rows: number;
  readonly fold: number;
}

export function arrayLayout({ sets, ways, role }: StructureView): ArrayLayout {
  const slots = sets * ways;
  if (slots <= MAX_CELLS && sets <= MAX_COLUMNS) {
    // Ways are next to each other if there is space: one set of 4 ways is one row.
    const most = isNarrow(role) ? NARROW_COLUMNS : MAX_COLUMNS;
    const room = Math.max(1, Math.floor(most / sets));
    const fold = sets === 1 || ways > MAX_COLUMNS ? Math.min(ways, room) : 1;
    return {
      kind: "cells",
      columns: sets * fold,
      rows: Math.ceil(ways / fold),
      fold,
    };
  }
  const fold =
    ways <= MAX_ROWS
      ? 1
      : Math.max(
          Math.ceil(ways / MAX_ROWS),
          Math.min(64, Math.floor(128 / sets)),
        );
  return {
    kind: "map",
    columns: sets * fold,
    rows: Math.ceil(ways / fold),
    fold,
  };
}

/** Structures next to the grid of a nested walk, which leaves less space. */
function isNarrow(role: StructureView["role"]): boolean {
  return role === "nested-tlb" || role === "pwc";
}

/** Set and way of a position in the picture; `null` if a folded set has fewer ways than positions. */
export function placeAt(
  { sets, ways }: StructureView,
  { columns, rows, fold }: ArrayLayout,
  column: number,
  row: number,
): { set: number; way: number } | null {
  if (column < 0 || column >= columns || row < 0 || row >= rows) return null;
  const set = Math.floor(column / fold);
  const way = row * fold + (column % fold);
  return set < sets && way < ways ? { set, way } : null;
}

/** The position of a way in the picture. */
export function positionOf(
  { fold }: ArrayLayout,
  set: number,
  way: number,
): { column: number; row: number } {
  return { column: set * fold + (way % fold), row: Math.floor(way / fold) };
}

/** One entry, read from the columns. */
export interface ArrayEntry {
  readonly set: number;
  readonly way: number;
  readonly key: bigint;
  readonly keyShift: number;
  /** Whether the entry translates no page of the program: in a TLB array, a page-table entry or a host's page. */
  readonly table: boolean;
  /** Whether the entry is no page-table entry, but the translation of a guest-physical page. */
  readonly guestPhysical: boolean;
  /** True until an access uses a prefetched translation. */
  readonly prefetched: boolean;
  readonly filledAt: AccessIndex;
  readonly usedAt: AccessIndex;
  readonly hits: number;
}

export function entryAt(
  columns: ArrayColumns,
  ways: number,
  set: number,
  way: number,
): ArrayEntry | null {
  const slot = set * ways + way;
  const keyShift = columns.keyShift[slot] ?? 0;
  if (keyShift === 0) return null;
  return {
    set,
    way,
    key: columns.keys[slot] ?? 0n,
    keyShift,
    table: isOther(columns.table[slot]),
    guestPhysical: columns.table[slot] === 3,
    prefetched: columns.table[slot] === 2,
    filledAt: columns.filledAt[slot] ?? 0,
    usedAt: columns.usedAt[slot] ?? 0,
    hits: columns.hits[slot] ?? 0,
  };
}

/** With more used slots than this, a sample is enough for quartiles. */
const AGE_SAMPLE = 4096;

/**
 * Ages by quarters of the array's own entries: 0 for the most recently used quarter, 3 for the least recently
 * used one. Returns a function from time to age.
 */
export function ageScale(
  columns: ArrayColumns,
): (usedAt: AccessIndex) => 0 | 1 | 2 | 3 {
  const { keyShift, usedAt } = columns;
  const step = Math.max(1, Math.floor(keyShift.length / AGE_SAMPLE));
  const times: number[] = [];
  for (let slot = 0; slot < keyShift.length; slot += step)
    if (keyShift[slot] !== 0) times.push(usedAt[slot] ?? 0);
  const sorted = Uint32Array.from(times).sort();
  const last = sorted.length - 1;
  const from = (share: number) =>
    sorted[Math.min(Math.ceil(sorted.length * share), last)] ?? 0;
  const [old, middle, recent] = [from(0.25), from(0.5), from(0.75)];
  return (time) =>
    time >= recent ? 0 : time >= middle ? 1 : time >= old ? 2 : 3;
}

/** The last hex digits of a page number that fit, `…2b5`, or all of them. No picture of an array writes `0x`. */
export function keyLabel(key: bigint, digits: number): string {
  const plain = key.toString(16);
  // The ellipsis takes the place of one digit.
  return plain.length <= digits + 1 ? plain : hexTail(key, digits);
}

/** The past of an entry: `came at access 250,372, was never hit`; `null` if it was given. */
export function cameText(filledAt: AccessIndex | null, hits: number): string {
  const times =
    hits === 0
      ? "was never hit"
      : hits === 1
        ? "was hit once"
        : `was hit ${counted(hits, "time")}`;
  const came =
    filledAt === null
      ? "given before the trace"
      : `came at access ${count(filledAt)}`;
  return `${came}, ${times}`;
}

/** The first and the last address that an entry covers. */
export function entryRange({ key, keyShift }: ArrayEntry): {
  first: string;
  last: string;
} {
  const first = key << BigInt(keyShift);
  return {
    first: hex(first),
    last: hex(first + (1n << BigInt(keyShift)) - 1n),
  };
}

/** The number of used slots. */
export function usedSlots({ keyShift }: ArrayColumns): number {
  return keyShift.reduce((used, shift) => used + (shift === 0 ? 0 : 1), 0);
}

/** Whether a slot of a TLB array has an entry that translates no page of the program. */
export function isOther(flag = 0): boolean {
  return flag % 2 > 0;
}

/** The number of slots of a TLB array with entries that translate no page of the program. */
export function otherSlots({ table }: ArrayColumns): number {
  return table.filter(isOther).length;
}
