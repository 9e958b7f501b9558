/** What the run of a program counts for each line of its code. */
import type { AttributionCounts } from "../../engine/generated/AttributionCounts";
import type { AttributionView } from "../../engine/generated/AttributionView";
import { translationCycles } from "../attribution/rows";
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
}

export interface LineTable {
  readonly lines: readonly LineCounts[];
  /** The sums of the run. */
  readonly total: Readonly<Record<LineQuantity, number>>;
  /** The walks that belong to no line of the code: those of the C library, for example. */
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

/** The counts of the lines of the code, by the line number. `files` are those of a compiled program. */
export function lineTable(
  { lines, total }: Pick<AttributionView, "lines" | "total">,
  files: readonly string[] = [],
): LineTable {
  const own = files[ownFile(files)];
  const found = lines.rows
    .filter(({ file }) => own === undefined || file === own)
    .map((row) => ({
      line: row.line ?? 0,
      file: row.file ?? "",
      counts: countsOf(row),
    }));
  const known = found.reduce((sum, { counts }) => sum + counts.walks, 0);
  return {
    lines: found.sort((a, b) => a.line - b.line),
    total: countsOf(total),
    elsewhere: total.walks - known,
  };
}

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
  { counts }: Pick<LineCounts, "counts">,
  { total }: Pick<LineTable, "total">,
): string {
  return [
    counted(counts.accesses, "access", "accesses"),
    counted(counts.misses, "L1 miss", "L1 misses"),
    `${counted(counts.walks, "walk")} (${percentOf(counts.walks, total.walks)} of all)`,
    `${cyclesShort(counts.cycles)} of translation`,
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
