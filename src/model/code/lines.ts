/** What the run of a program counts for each line of its code. */
import type { AttributionCounts } from "../../engine/generated/AttributionCounts";
import type { AttributionView } from "../../engine/generated/AttributionView";
import { translationCycles } from "../attribution/rows";
import type { LibraryCall } from "./libraryCalls";
import { counted, cyclesShort, fixed, percentOf } from "../shared/format";
import type { ProgramAbout } from "./about";
import type { CodeProgram } from "./code";

export const LINE_QUANTITIES = [
  {
    id: "walks",
    word: "walks",
    help: "Walks of the accesses that the line makes",
  },
  {
    id: "misses",
    word: "L1 misses",
    help: "Translations of the line that the first-level TLB did not hold",
  },
  {
    id: "cycles",
    word: "translation cycles",
    help: "A model: the cycles of the line after a miss of the first level",
  },
  { id: "accesses", word: "accesses", help: "Accesses of the line" },
] as const;

export type LineQuantity = (typeof LINE_QUANTITIES)[number]["id"];

export interface LineCounts {
  readonly line: number;
  readonly counts: Readonly<Record<LineQuantity, number>>;
  /** The path of its file; empty for JavaScript. */
  readonly file: string;
  /** The walks of the libraries that it calls, which are among the counts. The most come first. */
  readonly called?: readonly Called[];
}

export interface Called {
  /** The name of the call path. */
  readonly name: string;
  readonly what: string;
  readonly walks: number;
}

export interface LineTable {
  readonly lines: readonly LineCounts[];
  /** The sums of the run. */
  readonly total: Readonly<Record<LineQuantity, number>>;
  /** The walks that belong to no line of the code: those before `main`, for example. */
  readonly elsewhere: number;
}

/** A JavaScript program has a page of instructions for each line, and a compiled one begins here, too. */
const TEXT = 0x400000n;
const SCRIPT_LINE = 4096n;

/** Returns the line of an instruction; 0 if it has none in the code. */
export function lineFinder(
  about: Pick<ProgramAbout, "sites" | "places" | "files"> | undefined,
): (ip: bigint) => number {
  if (!about) return (ip) => Number((ip - TEXT) / SCRIPT_LINE);
  const own = ownFile(about.files);
  const lines = new Map<bigint, number>();
  for (const [site, [, , , at]] of about.sites.entries()) {
    const [file, line] = about.places[site] ?? [-1, 0];
    if (file >= 0 && (own < 0 || file === own))
      lines.set(TEXT + BigInt(at), line);
  }
  return (ip) => lines.get(ip) ?? 0;
}

/** The number of the file that the editor shows: `main.c` or `main.cpp`. */
function ownFile(files: readonly string[]): number {
  return files.findIndex((name) => /(^|\/)main\.(c|cpp)$/.test(name));
}

/** The line of the access at the cursor; `undefined` if it is none of the code. */
export function lineAtCursor({
  shown,
}: Pick<CodeProgram, "shown">): number | undefined {
  const ip = shown?.step?.access.ip ?? null;
  if (!shown || ip === null) return undefined;
  const line = lineFinder(shown.result.compiled?.about)(BigInt(ip));
  return line > 0 ? line : undefined;
}

type Counted = Pick<AttributionView, "lines" | "total"> &
  Partial<Pick<AttributionView, "calls">>;

/**
 * The counts of the lines of the code, by the line number. `files` are those of a compiled program. A library counts for the
 * line that calls it: `libraries` has the calls by the names of their paths.
 */
export function lineTable(
  { lines, total, calls }: Counted,
  files: readonly string[] = [],
  libraries: ReadonlyMap<
    string,
    Pick<LibraryCall, "line" | "what">
  > = new Map(),
): LineTable {
  const own = files[ownFile(files)];
  const ofLines = lines.rows
    .filter(({ file }) => own === undefined || file === own)
    .map((row) => ({
      line: row.line ?? 0,
      file: row.file ?? "",
      counts: countsOf(row),
    }));
  const found = withCalled(ofLines, own ?? "", calls, libraries);
  const known = found.reduce((sum, { counts }) => sum + counts.walks, 0);
  return {
    lines: found.sort((a, b) => a.line - b.line),
    total: countsOf(total),
    elsewhere: total.walks - known,
  };
}

/** Adds what the libraries count to the lines that call them. */
function withCalled(
  lines: readonly LineCounts[],
  file: string,
  calls: AttributionView["calls"] | undefined,
  libraries: ReadonlyMap<string, Pick<LibraryCall, "line" | "what">>,
): LineCounts[] {
  const all = new Map(lines.map((each) => [each.line, each]));
  for (const { name, own } of calls?.nodes ?? []) {
    const call = libraries.get(name);
    if (!call || own.accesses === 0) continue;
    const more = countsOf(own);
    const { line } = call;
    const { counts, called = [] } = all.get(line) ?? { counts: NOTHING };
    const next = { name, what: call.what, walks: more.walks };
    all.set(line, {
      line,
      file,
      counts: {
        accesses: counts.accesses + more.accesses,
        misses: counts.misses + more.misses,
        walks: counts.walks + more.walks,
        cycles: counts.cycles + more.cycles,
      },
      called: [...called, next].sort((a, b) => b.walks - a.walks),
    });
  }
  return [...all.values()];
}

const NOTHING = { accesses: 0, misses: 0, walks: 0, cycles: 0 };

function countsOf(row: AttributionCounts): LineCounts["counts"] {
  return {
    accesses: row.accesses,
    misses: row.l1_misses,
    walks: row.walks,
    cycles: translationCycles(row),
  };
}

/** The line with the largest count; 0 if all are 0. */
export function largestLine(
  { lines }: Pick<LineTable, "lines">,
  by: LineQuantity,
): number {
  const most = Math.max(0, ...lines.map(({ counts }) => counts[by]));
  if (most === 0) return 0;
  return lines.find(({ counts }) => counts[by] === most)?.line ?? 0;
}

/** The steps of the colour: 0 is nothing, 4 at least a quarter of the program's sum. */
export function heatOf(value: number, total: number): 0 | 1 | 2 | 3 | 4 {
  if (value <= 0 || total <= 0) return 0;
  const share = value / total;
  return share >= 0.25 ? 4 : share >= 0.05 ? 3 : share >= 0.01 ? 2 : 1;
}

/** What the steps mean, from the strongest on. */
export const HEAT_STEPS = [
  { heat: 4, word: "25 % or more" },
  { heat: 3, word: "5 %" },
  { heat: 2, word: "1 %" },
  { heat: 1, word: "less" },
] as const;

/** `4,194,304 accesses, 8,192 walks (99.9 %) …`: all numbers of a line. */
export function lineText(
  { counts, called = [] }: Pick<LineCounts, "counts" | "called">,
  { total }: Pick<LineTable, "total">,
): string {
  return [
    counted(counts.accesses, "access", "accesses"),
    counted(counts.misses, "L1 miss", "L1 misses"),
    `${counted(counts.walks, "walk")} (${percentOf(counts.walks, total.walks)} of all)`,
    `${cyclesShort(counts.cycles)} of translation`,
    ...called
      .filter(({ walks }) => walks > 0)
      .slice(0, 2)
      .map(
        ({ what, walks }) =>
          `${counted(walks, "walk")} in ${what}, called here`,
      ),
  ].join(" · ");
}

/** A count with three digits at most: `4.2 M`, `850`, `12 k`. */
export function threeDigits(n: number): string {
  const units = ["", " k", " M", " G", " T"];
  let at = 0;
  let size = n;
  while (size >= 999.5 && at < units.length - 1) {
    size /= 1000;
    at += 1;
  }
  const decimals = at > 0 && size < 9.95 ? 1 : 0;
  return fixed(size, decimals) + (units[at] ?? "");
}
