/** Why a program stopped, in one sentence. */
import { counted, memorySize } from "../shared/format";
import type { ProgramAbout } from "./about";
import { historyOf } from "./history";
import type { Extent, History } from "./history";
import { wordsOf } from "./records";

export interface Stopped {
  /** What the browser says. */
  readonly message: string;
  /** The line in the program's own text, the innermost function, and the instruction in the code section. */
  readonly line?: number;
  readonly function?: string;
  readonly at?: number;
  /** The words of the record that was not finished. */
  readonly last: Uint32Array;
  /** The bytes of the program's memory. */
  readonly bytes: number;
  readonly about: ProgramAbout;
  readonly lines: readonly string[];
  readonly chunks: readonly Uint32Array[];
  /** What the program has printed. */
  readonly output: string;
}

/** Browsers word traps differently. */
const OUTSIDE =
  /memory access out of bounds|out of bounds memory|out-of-bounds memory|index out of bounds/i;
const UNREACHABLE = /unreachable/i;
const TRAPS: readonly (readonly [RegExp, string])[] = [
  [/divide by zero|division by zero/i, "it divided by zero"],
  [
    /call stack|recursion/i,
    "its calls are nested too deeply, so a recursion may have no end",
  ],
  [/signature|table index|null function/i, "it called no valid function"],
  [/overflow|unrepresentable/i, "a number was too large for its type"],
];

export function trapText(stopped: Stopped): string {
  const { message, line, function: name } = stopped;
  // What the host itself says is a sentence.
  if (message.startsWith("the program "))
    return `The program ${message.slice("the program ".length)}.`;
  const where = line === undefined && name !== undefined ? ` in ${name}` : "";
  const known = UNREACHABLE.test(message)
    ? unreachable(stopped)
    : OUTSIDE.test(message)
      ? outside(stopped)
      : TRAPS.find(([pattern]) => pattern.test(message))?.[1];
  return `The program stopped${where}: ${known ?? message}.`;
}

function unreachable({ output, function: name = "" }: Stopped): string {
  const failed = /Assertion failed: (.+?)(?: \([^()]*\))?$/m.exec(output)?.[1];
  if (failed !== undefined) return `the assertion “${failed}” failed`;
  if (/abort|terminate|__assert|_Exit/.test(name)) return "it called abort";
  return "the compiler put a trap here, because this line is undefined (a null pointer or a loop without an end, for example), or __builtin_trap was called. Try -O0";
}

/** An access that has left the memory. */
export interface Access {
  readonly site: number;
  /** `store of 4 bytes`. */
  readonly what: string;
  readonly address: number;
}

function outside(stopped: Stopped): string {
  const { about, lines, chunks, line } = stopped;
  const access = accessOf(stopped);
  if (!access) return "it used an address outside of its memory";
  const { site, what, address } = access;
  const found = historyOf(about, lines, chunks, stopped.last, site);
  const place = `a ${what} at ${placeOf(address)} is outside of its memory`;
  const from = named(found, lines[(line ?? 0) - 1] ?? "") ?? found.last;
  if (from) return `${place}, ${distance(address, from)} of ${from.name}`;
  const [low, high] = about.memory.stack.map(Number);
  // Below the stack, addresses begin again at the end of 4 GiB.
  if (low === 0 && high !== undefined && high > 0 && address >= BELOW)
    return `${place}: its stack of ${memorySize(high)} is full (a recursion or a large local array), or a pointer is null`;
  return place;
}

/** The highest addresses are those before address 0. */
const BELOW = 2 ** 32 - 2 ** 28;

/** Finds the access that trapped in its record, which is not finished. */
export function accessOf({
  at,
  last,
  bytes,
  about: { sites, blocks },
}: Pick<Stopped, "at" | "last" | "bytes"> & {
  readonly about: Pick<ProgramAbout, "sites" | "blocks">;
}): Access | undefined {
  const site = sites.findIndex(
    ([kind, , , place]) => place === at && kind in VERBS,
  );
  const block = blocks.findLastIndex((first) => first <= site);
  if (site < 0 || last[0] !== block) return undefined;
  let word = 1;
  for (const [kind] of sites.slice(blocks[block], site)) word += wordsOf(kind);
  const [kind = "", size = 0, offset = 0] = sites[site] ?? [];
  const [first = 0, second = 0, third = 0] = last.subarray(word, word + 3);
  const verb = VERBS[kind] ?? kind;
  if (kind !== "copy" && kind !== "fill" && kind !== "init")
    return {
      site,
      what: `${verb} of ${bytesText(size)}`,
      address: first + offset,
    };
  const n = kind === "copy" ? third : second;
  const isTarget = kind !== "copy" || first + n > bytes;
  return {
    site,
    what: `${verb} of ${bytesText(n)}${isTarget ? "" : " that begins"}`,
    address: isTarget ? first : second,
  };
}

const VERBS: Readonly<Record<string, string>> = {
  load: "load",
  store: "store",
  modify: "change",
  copy: "copy",
  fill: "fill",
  init: "copy",
};

/** The only variable or block whose name stands in a line; of the blocks with one name, the newest. */
function named({ extents }: History, line: string): Extent | undefined {
  const words = new Set(line.match(/[A-Za-z_]\w*/g));
  const wordOf = ({ name }: Extent) => /^\w+/.exec(name)?.[0] ?? "";
  const found = extents.filter((each) => words.has(wordOf(each)));
  const isOne = new Set(found.map(wordOf)).size === 1;
  return isOne ? found.at(-1) : undefined;
}

/** Pointers have 32 bits: the shorter way leads out of the extent. */
function distance(address: number, { start, end }: Extent): string {
  const after = address - end;
  const before = (start - address + 2 ** 32) % 2 ** 32;
  return after >= 0 && after <= before
    ? `${bytesText(after)} after the end`
    : `${bytesText(before)} before the start`;
}

function bytesText(n: number): string {
  return counted(n, "byte");
}

/** Where the heap of the simulated process begins; see the importer `code`. */
const HEAP = 0x5555_0000_0000;

function placeOf(address: number): string {
  return `0x${(HEAP + address).toString(16)}`;
}
