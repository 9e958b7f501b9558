/**
 * The one-dimensional walk of a translation: one column per table, the skipped tables and why, and the page
 * at the end.
 */
import type { Kind } from "../../engine/generated/Kind";
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { NeighbourView } from "../../engine/generated/NeighbourView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { hasOneTable, offsetText } from "../replay/bits";
import { counted } from "../shared/format";
import { sizeOfShift } from "../shared/pageSizes";
import { hex } from "../shared/hex";
import { outcomeWord } from "../shared/outcome";
import { pscName, secondLevelName, structureName } from "../tlb/names";

/** Why the walk started below the root. */
export interface Skip {
  /** The number of skipped tables, from the root down. */
  readonly count: number;
  /** The structure: `PDE cache hit`. */
  readonly who: string;
  /** The key as indices: `254 · 232 · 225`. */
  readonly path: string;
  /** What the cache held: `PT at 0x5f07000`. */
  readonly target: string;
  /** What the cache held, in short. */
  readonly address: string;
}

export function skipOf(
  translation: TranslationView,
  machine: MachineView,
): Skip | null {
  const { levels, psc } = translation;
  const lookup = psc.find((each) => each.hit);
  const skipped = levels.filter((level) => level.state === "skipped-by-psc");
  const next = levels[skipped.length];
  if (!lookup || !next || skipped.length === 0) return null;
  return {
    count: skipped.length,
    who: `${pscName(machine, lookup, levels)} hit`,
    path: skipped.map((level) => level.index).join(" · "),
    target: `${next.table_name} at ${next.table}`,
    address: next.table,
  };
}

/** The TLB array that hit, so that there was no walk. */
export function hitOf(
  translation: TranslationView,
  machine: MachineView,
): string | null {
  const hit = translation.tlb.find((each) => each.hit);
  return hit
    ? structureName(machine, hit.structure)
    : (translation.behind?.hit ?? null);
}

/**
 * The head line of the panel: `1 of 4 references read, 3 skipped`; `1 of 4 read` if space is short. It counts
 * the first `reached` levels.
 */
export function walkSummary(
  { levels, outcome, behind, hashed }: TranslationView,
  machine: MachineView,
  tight = false,
  reached = levels.length,
): string {
  if (outcome === "l1-hit" || outcome === "l2-hit")
    return `no walk: ${outcomeWord(outcome, behind?.hit ?? secondLevelName(machine))}.`;
  if (hashed)
    return tight ? `${counted(hashed.lines.length, "line")} read` : hashed.said;
  const known = levels.slice(0, reached);
  const read = known.filter(({ state }) => state === "read").length;
  return readSummary(read, reached, levels.length, tight);
}

/** How many of `of` references were read, and how many of the `reached` ones were skipped. */
export function readSummary(
  read: number,
  reached: number,
  of: number,
  tight: boolean,
): string {
  if (tight) return `${read} of ${of} read`;
  const text = `${read} of ${counted(of, "reference")} read`;
  return reached > read ? `${text}, ${reached - read} skipped` : text;
}

/** The page at the end of the walk. */
export interface PageEnd {
  /** The page's name: `page, 4K`. */
  readonly title: string;
  readonly frame: string;
  /** The name of the frame’s number: `frame`, or `PPN` as in textbooks. */
  readonly frameName: string;
  readonly base: string;
  readonly offset: string;
  readonly physical: string;
  /** The position of the byte in the page, 0 to 1. */
  readonly share: number;
}

export function pageEnd(translation: TranslationView): PageEnd {
  const { address, page_shift, frame, physical } = translation;
  const shift = BigInt(page_shift);
  const offset = BigInt.asUintN(page_shift, BigInt(address));
  return {
    title: `page, ${sizeOfShift(page_shift)}`,
    frame,
    frameName: hasOneTable(translation) ? "PPN" : "frame",
    base: hex(BigInt(frame) << shift),
    offset: offsetText(address, page_shift),
    physical,
    share: Number(offset) / 2 ** page_shift,
  };
}

/** One of the five rows that the wedge opens. */
export interface TableRow extends NeighbourView {
  /** The distance from the walk's entry in rows: −2 to 2. */
  readonly at: number;
}

/** The neighbours by their distance from the entry, negative for those before it. */
export function tableRows(level: LevelView): TableRow[] {
  return level.neighbours
    .map((each) => ({ ...each, at: each.index - level.index }))
    .filter(({ at }) => at !== 0);
}

export const isEmpty = ({ value }: NeighbourView): boolean =>
  BigInt(value) === 0n;

/**
 * The rank among the caches that serve page-table reads: 1 for the nearest, 4 for DRAM. It selects the shade.
 */
export function servedRank(
  machine: MachineView,
  served: string,
): 1 | 2 | 3 | 4 {
  const caches = machine.memory.length - 1;
  const at = machine.memory.findIndex(([name]) => name === served);
  if (at < 0 || at >= caches) return 4;
  const rank = caches <= 3 ? at + 1 : 1 + Math.floor((at * 3) / caches);
  return rank <= 1 ? 1 : rank === 2 ? 2 : 3;
}

/** The level shown until the user chooses one: the last entry read, otherwise the leaf entry. */
export function defaultLevel({ levels }: TranslationView): number {
  const read = levels.findLastIndex((level) => level.state === "read");
  return read >= 0 ? read : levels.length - 1;
}

/**
 * The number of entries that the OS wrote for a first touch, with the leaf entry. The walk set the accessed
 * flag of exactly these, since older entries had it from earlier walks. A store also made the leaf entry
 * dirty.
 */
export function newEntries(
  { outcome, ad_updates }: TranslationView,
  kind: Kind,
): number {
  if (outcome !== "fault") return 0;
  return Math.max(1, ad_updates - (kind === "store" ? 1 : 0));
}

/** What an entry points to: the frame of a page or the next table. */
export function entryTarget(translation: TranslationView, at: number): string {
  const level = translation.levels[at];
  if (!level) return "";
  return level.leaf
    ? translation.frame
    : (translation.levels[at + 1]?.table ?? "");
}
