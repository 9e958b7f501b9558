/** The bits of a page-table entry, by the Intel SDM vol. 3, tables 4-15 to 4-20. */
import type { LevelView } from "../engine/generated/LevelView";
import type { MachineView } from "../engine/generated/MachineView";
import { hex } from "./hex";

/** A run of bits of an entry. */
export interface EntryField {
  readonly name: string;
  readonly high: number;
  readonly low: number;
  /** `0` and `1` for one bit, hex for more. */
  readonly value: string;
  readonly isSet: boolean;
  readonly meaning: string;
  /** The address bits: a frame, or the next table. */
  readonly address: boolean;
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
function frameLow(level: LevelView, machine: MachineView): number {
  return level.leaf ? Math.max(12, level.shift + 12 - machine.offset_bits) : 12;
}

function rowsOf(level: LevelView, machine: MachineView): Row[] {
  const [xd, key, ignored] = TOP;
  const low = frameLow(level, machine);
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
      ["58:52", 58, 52, "free for the OS"],
      ["table 51:12", 51, 12, "where the next table is, in 4K"],
      ["avl", 11, 8, "free for the OS"],
      ["PS", 7, 7, "page size: 0, this entry points to a table"],
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

/** The fields of an entry from bit 63 down to bit 0; together they cover every bit once. */
export function entryFields(
  level: LevelView,
  machine: MachineView,
): EntryField[] {
  const value = BigInt(level.value);
  return rowsOf(level, machine).map(([name, high, low, meaning]) => {
    const bits = BigInt.asUintN(high - low + 1, value >> BigInt(low));
    return {
      name,
      high,
      low,
      value: high === low || bits === 0n ? bits.toString() : hex(bits),
      isSet: bits !== 0n,
      meaning,
      address: /^(frame|table)/.test(name),
    };
  });
}
