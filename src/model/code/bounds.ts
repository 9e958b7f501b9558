/**
 * Finds accesses that leave the variable which their line names: one element behind a global array, for example. Nothing
 * stops such a program, because the next variable is there.
 */
import { counted } from "../shared/format";
import type { ProgramAbout } from "./about";
import { withDimensions } from "./about";
import type { Extent } from "./history";
import { wordsOf } from "./records";

/** An access so near to a variable has left it; one farther away may be by a pointer. */
const NEAR = 64;
/** The most sentences. */
const MOST = 3;
/** The most words of records that are read. More would take longer than the program itself. */
const MOST_WORDS = 1 << 22;

/** A site on a line that names variables. */
interface Watched {
  readonly site: number;
  /** Where its address is in the record of its block. */
  readonly at: number;
  readonly offset: number;
  readonly size: number;
  readonly line: number;
  readonly named: readonly Extent[];
  /** The variable that it accesses. */
  home: Extent | undefined;
  /** Its last address in that variable, and how far that was from the one before. */
  last: number;
  step: number;
  isOver: boolean;
}

export interface Bounds {
  /** Takes whole records. */
  readonly take: (records: Uint32Array) => void;
  readonly notes: () => readonly string[];
}

export function boundsOf(
  about: ProgramAbout,
  lines: readonly string[],
): Bounds {
  const globals = about.globals.map(({ name, start, end }) => ({
    name: withDimensions(name, lines),
    start: Number(start),
    end: Number(end),
  }));
  const blocks = watchedBlocks(about, lines, globals);
  const notes = new Map<number, string>();
  const left = (each: Watched, home: Extent, address: number) => {
    each.isOver = true;
    const { site, size, line } = each;
    if (notes.has(line) || notes.size === MOST) return;
    const verb = about.sites[site]?.[0] === "load" ? "loads" : "stores";
    const within = globals.find(
      (of) => address >= of.start && address < of.end && of !== home,
    );
    const where =
      address < home.start
        ? `${counted(home.start - address, "byte")} before the start`
        : address === home.end
          ? "right after the end"
          : address > home.end
            ? `${counted(address - home.end, "byte")} after the end`
            : "across the end";
    notes.set(
      line,
      `Line ${line} ${verb} ${counted(size, "byte")} outside of ${home.name}: ${where}${within ? `, in ${within.name}` : ""}. Does an index leave the array?`,
    );
  };
  const watch = (each: Watched, address: number) => {
    const { home, size } = each;
    if (home && address >= home.start && address + size <= home.end) {
      each.step = Math.abs(address - each.last);
      each.last = address;
      return;
    }
    const other = each.named.find(
      ({ start, end }) => address >= start && address < end,
    );
    if (!home) {
      each.home = other;
      each.last = address;
      return;
    }
    const isNear = address >= home.start - NEAR && address < home.end + NEAR;
    // The next variable that the line names is entered by a step as before, or by another pointer.
    const step = Math.abs(address - each.last);
    const isStep = other ? step === each.step : step <= NEAR;
    if (isNear && isStep) left(each, home, address);
    else if (other) each.isOver = true;
  };
  let room = blocks.some(({ watched }) => watched.length > 0) ? MOST_WORDS : 0;
  return {
    take: (records) => {
      if (room <= 0) return;
      room -= records.length;
      for (let at = 0; at < records.length;) {
        const block = blocks[records[at] ?? 0];
        if (!block) return;
        for (const each of block.watched)
          if (!each.isOver)
            watch(each, (records[at + each.at] ?? 0) + each.offset);
        at += block.words;
      }
    },
    notes: () => [...notes.values()],
  };
}

/** The words of each block, and its sites whose lines name variables of more than one element. */
function watchedBlocks(
  { sites, blocks, places, files }: ProgramAbout,
  lines: readonly string[],
  globals: readonly Extent[],
) {
  const own = files.findIndex((name) => /(^|\/)main\.(c|cpp)$/.test(name));
  const arrays = globals.filter(({ name }) => name.includes("["));
  const namedIn = lines.map((line) => {
    const words = new Set(line.match(/[A-Za-z_]\w*/g));
    return arrays.filter(({ name }) => words.has(/^\w+/.exec(name)?.[0] ?? ""));
  });
  return blocks.slice(0, -1).map((first, n) => {
    let words = 1;
    const watched: Watched[] = [];
    for (let site = first; site < (blocks[n + 1] ?? first); site++) {
      const [kind = "", size = 0, offset = 0] = sites[site] ?? [];
      const [file, line] = places[site] ?? [-1, 0];
      const named = file === own && own >= 0 ? (namedIn[line - 1] ?? []) : [];
      if ((kind === "load" || kind === "store") && named.length > 0)
        watched.push({
          ...{ site, at: words, offset, size, line, named },
          ...{ home: undefined, last: 0, step: 0, isOver: false },
        });
      words += wordsOf(kind);
    }
    return { words, watched };
  });
}
