/**
 * The bits of a present page-table entry, for entries written by hand: the same as the core's, by
 * the Intel SDM vol. 3, tables 4-15 to 4-20. A test compares the two.
 */
import type { FieldView } from "../../src/engine/generated/FieldView";
import { hex } from "../../src/model/shared/hex";

/** The settings that decide the format of an entry. */
export interface EntryPlace {
  readonly leaf: boolean;
  readonly level: number;
  /** The lowest address bit that indexes the table. */
  readonly shift: number;
  readonly offsetBits: number;
}

type Row = readonly [name: string, high: number, low: number, meaning: string];

const TOP: readonly Row[] = [
  ["XD", 63, 63, "execute disable: instructions are not fetched from here"],
  ["key", 62, 59, "protection key"],
  ["62:59", 62, 59, "ignored"],
];

const BOTTOM: readonly Row[] = [
  ["PCD", 4, 4, "page-level cache disable"],
  ["PWT", 3, 3, "page-level write-through"],
  ["U", 2, 2, "user code may use it"],
  ["W", 1, 1, "may be written"],
  ["P", 0, 0, "present"],
];

/** Pages of less than 4K keep their frame number in bits 51:12 too, so that the flags have room. */
function frameLow(level: EntryPlace): number {
  return level.leaf ? Math.max(12, level.shift + 12 - level.offsetBits) : 12;
}

function rowsOf(level: EntryPlace): Row[] {
  const [xd, key, ignored] = TOP;
  const low = frameLow(level);
  const dirty: Row = ["D", 6, 6, "dirty: the page was written"];
  const accessed: Row = [
    "A",
    5,
    5,
    level.leaf
      ? "accessed: the page was used"
      : "accessed: a walk went through here",
  ];
  const top = (first: Row | undefined) => (first ? [first] : []);
  if (!level.leaf)
    return [
      ...top(xd),
      ...top(ignored),
      ["avl", 58, 52, "free for the OS"],
      ["table 51:12", 51, 12, "where the next table is, in 4K"],
      ["avl", 11, 8, "free for the OS"],
      level.level > 3
        ? ["PS", 7, 7, "reserved, 0: no page has this size"]
        : ["PS", 7, 7, "page size: 0, this entry points to a table"],
      ["–", 6, 6, "ignored: only a page can be dirty"],
      accessed,
      ...BOTTOM,
    ];
  const large = level.level > 1;
  return [
    ...top(xd),
    ...top(key),
    ["avl", 58, 52, "free for the OS"],
    [`frame 51:${low}`, 51, low, "number of the page in physical memory"],
    ...(large && low > 13
      ? ([[`${low - 1}:13`, low - 1, 13, "reserved, 0"]] satisfies Row[])
      : []),
    ...(large ? ([["PAT", 12, 12, "memory type"]] satisfies Row[]) : []),
    ["avl", 11, 9, "free for the OS"],
    ["G", 8, 8, "global: survives a change of address space"],
    large
      ? ["PS", 7, 7, "page size: 1, this entry maps a page"]
      : ["PAT", 7, 7, "memory type"],
    dirty,
    accessed,
    ...BOTTOM,
  ];
}

/** The fields from bit 63 down to bit 0. */
export function entryBits(entry: string, place: EntryPlace): FieldView[] {
  const value = BigInt(entry);
  return rowsOf(place).map(([name, high, low, meaning]) => ({
    name,
    high,
    low,
    value: hex(BigInt.asUintN(high - low + 1, value >> BigInt(low))),
    meaning,
    address: /^(frame|table)/.test(name),
    violated: false,
  }));
}
