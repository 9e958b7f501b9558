/** Counts the accesses in the records of an instrumented program. */
import type { ProgramAbout } from "./about";

/** The words of a site's record; of every other kind one, the address. The last of two or three is a size. */
const WORDS: Readonly<Record<string, number>> = {
  enter: 0,
  leave: 0,
  copy: 3,
  fill: 2,
  init: 2,
  grow: 2,
  calloc: 2,
  realloc: 2,
  aligned: 2,
};

/** The importer makes one access of so many bytes of a bulk operation. */
const PIECE = 64;
const ACCESSES: Readonly<Record<string, number>> = {
  load: 1,
  store: 1,
  modify: 2,
};
/** How often a bulk operation goes over its bytes. */
const BULK: Readonly<Record<string, number>> = { copy: 2, fill: 1, init: 1 };

const CALLS = ["malloc", "calloc", "realloc", "aligned", "return"];

export function wordsOf(kind: string): number {
  return WORDS[kind] ?? 1;
}

/** What a call of an allocator frees, and the bytes that it asks for. */
export function callOf(
  kind: string,
  first: number,
  second: number,
): { readonly old: number; readonly bytes: number } {
  if (kind === "calloc") return { old: 0, bytes: first * second };
  if (kind === "realloc") return { old: first, bytes: second };
  return { old: 0, bytes: kind === "aligned" ? second : first };
}

interface Block {
  readonly words: number;
  readonly accesses: number;
  /** Where the sizes of its bulk operations are, and how often each goes over them. */
  readonly bulks: readonly (readonly [at: number, times: number])[];
  /** Where the first words of the calls and the returns of allocators are. */
  readonly calls: readonly (readonly [
    at: number,
    kind: string,
    site: number,
  ])[];
}

type Counted = Pick<ProgramAbout, "sites" | "blocks">;

/** Returns the number of accesses in whole records; `undefined` if they are not those of the program. */
export type Counter = (records: Uint32Array) => number | undefined;

/** `onNull` gets each call of an allocator that found no room: its site, and the bytes that it asked for. */
export function recordCounter(
  about: Counted,
  onNull: (site: number, bytes: number) => void = () => {},
): Counter {
  const blocks = blocksOf(about);
  const words = Uint32Array.from(blocks, (block) => block.words);
  const accesses = Uint32Array.from(blocks, (block) => block.accesses);
  // Most blocks have only loads and stores.
  const isSpecial = blocks.map(
    ({ bulks, calls }) => bulks.length + calls.length > 0,
  );
  let asked = { site: 0, bytes: 0 };
  /** Follows the allocators; returns the accesses of the bulk operations. */
  const special = (records: Uint32Array, block: number, at: number) => {
    let sum = 0;
    for (const [place, times] of blocks[block]?.bulks ?? [])
      sum += times * Math.ceil((records[at + place] ?? 0) / PIECE);
    for (const [place, kind, site] of blocks[block]?.calls ?? []) {
      const first = records[at + place] ?? 0;
      if (kind !== "return")
        asked = {
          site,
          bytes: callOf(kind, first, records[at + place + 1] ?? 0).bytes,
        };
      else if (first === 0 && asked.bytes > 0) onNull(asked.site, asked.bytes);
    }
    return sum;
  };
  return (records) => {
    let sum = 0;
    let at = 0;
    while (at < records.length) {
      const block = records[at] ?? 0;
      const size = words[block];
      if (size === undefined) return undefined;
      sum += accesses[block] ?? 0;
      if (isSpecial[block]) sum += special(records, block, at);
      at += size;
    }
    return at === records.length ? sum : undefined;
  };
}

function blocksOf({ sites, blocks }: Counted): readonly Block[] {
  return blocks.slice(0, -1).map((first, n) => {
    let words = 1;
    let accesses = 0;
    const bulks: (readonly [number, number])[] = [];
    const calls: (readonly [number, string, number])[] = [];
    for (const [index, [kind]] of sites.slice(first, blocks[n + 1]).entries()) {
      if (CALLS.includes(kind)) calls.push([words, kind, first + index]);
      words += wordsOf(kind);
      accesses += ACCESSES[kind] ?? 0;
      const times = BULK[kind];
      if (times !== undefined) bulks.push([words - 1, times]);
    }
    return { words, accesses, bulks, calls };
  });
}
