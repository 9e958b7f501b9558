/** The TLB blocks of a memory cache: the ways of one set, as cells of a picture. */
import type { BlocksView } from "../../engine/generated/BlocksView";
import type { BlockWayView } from "../../engine/generated/BlockWayView";
import { count, counted } from "../shared/format";
import { hex, hexTail } from "../shared/hex";
import { sizeOfShift } from "../shared/pageSizes";

export interface BlockCell {
  readonly kind: "block" | "line" | "empty";
  readonly mark: BlockWayView["mark"];
  /** The last digits of the first page, or what else the way holds. */
  readonly label: string;
  /** The way in words. */
  readonly text: string;
  /** For a block: whether it holds each of its eight pages. */
  readonly pages: readonly boolean[];
}

const PAGES = 8;
const MARKS = { hit: ": hit", written: ": written by this access" } as const;

/** The ways of the set, in order. */
export function blockCells({ ways }: Pick<BlocksView, "ways">): BlockCell[] {
  return ways.map((way, at) => {
    const { kind, label, text, pages } = contentOf(way);
    const end = way.mark === null ? "" : MARKS[way.mark];
    return {
      kind,
      mark: way.mark,
      label,
      pages,
      text: `Way ${at}, ${text}${end}`,
    };
  });
}

function contentOf(way: BlockWayView): Omit<BlockCell, "mark"> {
  const { first, line, key_shift, pages } = way;
  if (first !== null) {
    const held = Array.from(
      { length: PAGES },
      (_, at) => (pages >> at) % 2 === 1,
    );
    const last = hex(BigInt(first) + BigInt(PAGES - 1));
    const n = held.filter(Boolean).length;
    return {
      kind: "block",
      label: hexTail(first, 3),
      text: `block of ${sizeOfShift(key_shift)} pages ${first} to ${last}, of which it holds ${n}`,
      pages: held,
    };
  }
  return line === null
    ? { kind: "empty", label: "", text: "empty", pages: [] }
    : { kind: "line", label: "line", text: `line ${line}`, pages: [] };
}

/** How many ways hold blocks: `3 of 16,384 ways hold blocks`. */
export function blocksInUse({
  n_blocks,
  n_ways,
}: Pick<BlocksView, "n_blocks" | "n_ways">): string {
  const hold = n_blocks === 1 ? "holds a block" : "hold blocks";
  return `${count(n_blocks)} of ${counted(n_ways, "way")} ${hold}`;
}
