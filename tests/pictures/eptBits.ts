/**
 * The bits of a present EPT entry, for entries written by hand: the same as the core's, by the
 * Intel SDM vol. 3, tables 28-1 to 28-6. A test compares the two.
 */
import type { FieldView } from "../../src/engine/generated/FieldView";
import { hex } from "../../src/model/shared/hex";

type Row = readonly [name: string, high: number, low: number, meaning: string];

const TYPES: Readonly<Record<number, string>> = {
  0: "uncacheable",
  1: "write combining",
  4: "write-through",
  5: "write-protected",
  6: "write-back",
};

const RIGHTS: readonly Row[] = [
  ["X", 2, 2, "instructions may be fetched"],
  ["W", 1, 1, "may be written"],
  ["R", 0, 0, "may be read"],
];

function leafRows(level: number, entry: bigint): Row[] {
  const low = 12 + 9 * (level - 1);
  const type = Number((entry >> 3n) & 7n);
  const frame = "number of the page in the host's memory";
  return [
    ["SVE", 63, 63, "suppress #VE: a violation here exits to the host"],
    ["avl", 62, 52, "free for the host"],
    [`frame 51:${low}`, 51, low, frame],
    ...(low > 12
      ? ([[`${low - 1}:12`, low - 1, 12, "reserved, 0"]] satisfies Row[])
      : []),
    ["avl", 11, 10, "free for the host"],
    ["D", 9, 9, "dirty: the page was written"],
    ["A", 8, 8, "accessed: the page was used"],
    level > 1
      ? ["PS", 7, 7, "page size: 1, this entry maps a page"]
      : ["7", 7, 7, "ignored"],
    ["IPAT", 6, 6, "ignore PAT: the guest has no say in the memory type"],
    [
      "type",
      5,
      3,
      `memory type: ${TYPES[type] ?? "there is none of this number"}`,
    ],
    ...RIGHTS,
  ];
}

function tableRows(level: number): Row[] {
  return [
    ["63", 63, 63, "ignored"],
    ["avl", 62, 52, "free for the host"],
    ["table 51:12", 51, 12, "where the next table is, in 4K"],
    ["avl", 11, 10, "free for the host"],
    ["9", 9, 9, "ignored: only a page can be dirty"],
    ["A", 8, 8, "accessed: a walk went through here"],
    level < 4
      ? ["PS", 7, 7, "page size: 0, this entry points to a table"]
      : ["PS", 7, 7, "reserved, 0: no page has this size"],
    ["6:3", 6, 3, "reserved, 0"],
    ...RIGHTS,
  ];
}

/** The fields of an entry at `level`, 1 = the lowest table; `leaf` if it maps a page. */
export function eptBits(
  value: string,
  { level, leaf }: { readonly level: number; readonly leaf: boolean },
): FieldView[] {
  const entry = BigInt(value);
  const rows = leaf ? leafRows(level, entry) : tableRows(level);
  return rows.map(([name, high, low, meaning]) => {
    const bits = BigInt.asUintN(high - low + 1, entry >> BigInt(low));
    return {
      name,
      high,
      low,
      value: hex(bits),
      meaning,
      address: /^(frame|table)/.test(name),
      violated: false,
    };
  });
}
