/** What an instruction of a program accessed before, and which blocks of the heap there are at its end. */
import { withDimensions } from "./about";
import type { ProgramAbout } from "./about";
import { heapNames } from "./heapNames";
import { callOf, wordsOf } from "./records";

/** A variable or a block of the heap, in the linear memory. */
export interface Extent {
  readonly name: string;
  readonly start: number;
  /** After the last byte. */
  readonly end: number;
}

export interface History {
  /** What the instruction accessed last among what has a name. */
  readonly last: Extent | undefined;
  /** Global variables, and the blocks that were not freed, in the order of their allocation. */
  readonly extents: readonly Extent[];
}

/** The most comparisons of addresses with extents: more would take seconds. */
const MOST = 20_000_000;

interface Call extends ReturnType<typeof callOf> {
  /** Names the block: the call, or that of the library which it is in. */
  readonly site: number;
}

/** Follows the records of a run, and the unfinished one after them, which ends with an access at `site`. */
export function historyOf(
  about: ProgramAbout,
  lines: readonly string[],
  chunks: readonly Uint32Array[],
  unfinished: Uint32Array,
  site: number,
): History {
  const { sites } = about;
  const names = new Map(heapNames(about, lines));
  const globals = about.globals.map(({ name, start, end }) => ({
    name: withDimensions(name, lines),
    start: Number(start),
    end: Number(end),
  }));
  const blocks = new Map<number, Extent>();
  const calls: Call[] = [];
  const libraries: number[] = [];
  const offset = sites[site]?.[2] ?? 0;
  let last: Extent | undefined;
  let left = MOST;
  const find = (at: number): Extent | undefined => {
    const holds = ({ start, end }: Extent) => at >= start && at < end;
    if (last && holds(last)) return last;
    left -= globals.length + blocks.size;
    if (left < 0) return undefined;
    return globals.find(holds) ?? [...blocks.values()].find(holds);
  };
  const follow = (each: number, words: Uint32Array, at: number) => {
    const kind = sites[each]?.[0] ?? "";
    const [first = 0, second = 0] = words.subarray(at, at + 2);
    if (each === site) last = find(first + offset) ?? last;
    else if (kind === "enter") libraries.push(each);
    else if (kind === "leave") libraries.pop();
    else if (kind === "free") blocks.delete(first);
    else if (kind === "return") {
      const call = calls.pop();
      if (!call || first === 0) return;
      blocks.delete(call.old);
      const name = names.get(sites[call.site]?.[3] ?? -1) ?? "";
      // Blocks of the system's libraries have no line.
      if (name.includes(", line "))
        blocks.set(first, { name, start: first, end: first + call.bytes });
    } else
      calls.push({
        site: libraries.at(-1) ?? each,
        ...callOf(kind, first, second),
      });
  };
  const events = eventsOf(about, site);
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const { words, list } = events[chunk[at] ?? 0] ?? NOTHING;
      for (const [each, place] of list) follow(each, chunk, at + place);
      at += words;
    }
  for (const [each, place] of events[unfinished[0] ?? 0]?.list ?? []) {
    if (each === site) break;
    follow(each, unfinished, place);
  }
  return { last, extents: [...globals, ...blocks.values()] };
}

const FOLLOWED = [
  "malloc",
  "calloc",
  "realloc",
  "aligned",
  "free",
  "return",
  "enter",
  "leave",
];
const NOTHING = { words: 1, list: [] } as const;

/** For each block the words of its record, and the followed sites with their places in it. */
function eventsOf({ sites, blocks }: ProgramAbout, site: number) {
  return blocks.slice(0, -1).map((first, n) => {
    let words = 1;
    const list: (readonly [site: number, place: number])[] = [];
    for (let each = first; each < (blocks[n + 1] ?? first); each++) {
      const kind = sites[each]?.[0] ?? "";
      if (each === site || FOLLOWED.includes(kind)) list.push([each, words]);
      words += wordsOf(kind);
    }
    return { words, list };
  });
}
