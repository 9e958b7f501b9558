/** Page sizes compared, and which memory should be huge. */
import { X86_SIZES } from "../../engine/generated/words";
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RegionConfig } from "../../engine/generated/RegionConfig";
import type { RunReport } from "../../engine/generated/RunReport";
import { counted, memorySize, percentOf } from "../shared/format";
import { bytesOf } from "../shared/pageSizes";
import { smallestPage } from "../config/defaults";
import { withGiven } from "../config/given";
import {
  AS_RECORDED,
  familyOf,
  hugePage,
  isAsRecorded,
  onlyPolicy,
  pagesText,
  policyWord,
  withDefault,
  withPages,
  withoutIdle,
} from "../config/pagePolicies";
import { changeText } from "./effect";
import { missCycles } from "./savings";
import type { Saved } from "./savings";

/** One way to map memory. */
export interface PagesChoice {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly os: OsConfig;
}

/** Pages of these sizes, smallest first, as many as pictures have colours for. */
export function shownSizes(sizes: readonly PageSize[]): readonly PageSize[] {
  const rising = [...sizes].sort((a, b) => bytesOf(a) - bytesOf(b));
  if (rising.length <= 3) return rising;
  return X86_SIZES.every((size) => rising.includes(size))
    ? X86_SIZES
    : rising.slice(0, 3);
}

/** The page size of all memory, if it has one. */
export function onlySize(os: OsConfig): PageSize | undefined {
  const policy = onlyPolicy(os);
  return policy !== null && familyOf(policy) === "fixed" ? policy : undefined;
}

/** The page size of the curves: that of all memory, otherwise the smallest. */
export function baseSize(os: OsConfig, machine: MachineConfig): PageSize {
  return onlySize(os) ?? smallestPage(machine);
}

/** The current mapping and the alternatives. */
export function pagesChoices(
  os: OsConfig,
  machine: MachineConfig,
  sizes: readonly PageSize[],
  hasRecorded = false,
): readonly PagesChoice[] {
  const huge = hugePage(machine);
  const policies: readonly PagePolicy[] = [
    ...shownSizes(sizes).slice(0, 1),
    ...(huge === null ? [] : ["thp"]),
    ...shownSizes(sizes).slice(1),
  ];
  const now = onlyPolicy(os);
  const own: PagesChoice = {
    id: "now",
    name: pagesText(os),
    about: isAsRecorded(os) ? "each page as measured" : "as configured",
    os,
  };
  return [
    own,
    ...(hasRecorded && !isAsRecorded(os)
      ? [
          {
            id: AS_RECORDED,
            name: "as recorded",
            about: "each page as measured",
            os: withPages(os, machine, AS_RECORDED),
          },
        ]
      : []),
    ...policies
      .filter((policy) => policy !== now)
      .map((policy) => ({
        id: policy,
        name: policyWord(policy),
        about: policy === "thp" ? "anonymous memory" : "all memory",
        os: withDefault(os, policy),
      })),
  ];
}

/** A row: the counts of a run, compared with the first row. */
export interface PagesRow {
  readonly choice: PagesChoice;
  readonly report: RunReport | undefined;
  readonly change: string;
}

export function pagesRow(
  choice: PagesChoice,
  report: RunReport | undefined,
  own: RunReport | undefined,
): PagesRow {
  const isOwn = choice.id === "now";
  const change =
    isOwn || !report || !own
      ? "–"
      : changeText(own.cycles.total, report.cycles.total);
  return { choice, report, change };
}

export function perAccess({ cycles, trace }: RunReport): number {
  return trace.accesses > 0 ? cycles.total / trace.accesses : 0;
}

/** Neighbouring ranges of one memory that should be huge. */
export interface AdviceRow {
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly starts: readonly string[];
  /** Their miss cycles if no page is huge. */
  readonly cycles: number;
  readonly wasted: number;
}

/** A row with the saving of a run in which only its pages are huge, once that is known. */
export interface SimulatedRow extends AdviceRow {
  readonly saved?: Saved | undefined;
}

/** The rows of the advice with their picks, those with the most miss cycles first. */
export function adviceRows({
  picks,
  rows,
  huge,
}: Pick<HugeAdvice, "picks" | "rows" | "huge">): readonly AdviceRow[] {
  return rows.map((row) => {
    const [from, to] = [BigInt(row.start), BigInt(row.end)];
    const inside = picks.filter(({ start }) => {
      const at = BigInt(start);
      return from <= at && at < to;
    });
    return {
      name: row.name === "" ? "unknown" : row.name,
      start: row.start,
      end: row.end,
      starts: inside.map(({ start }) => start),
      cycles: row.miss_cycles,
      wasted: row.huge_pages * bytesOf(huge) - row.touched_bytes,
    };
  });
}

/** Rows that save the most miss cycles first, once all are known. */
export function mostSavedFirst<R extends SimulatedRow>(
  rows: readonly R[],
): readonly R[] {
  const saved = (row: R) => row.saved?.cycles ?? 0;
  return rows.every((row) => row.saved)
    ? [...rows].sort((a, b) => saved(b) - saved(a))
    : rows;
}

/** A range in short, `7f3a1b800000–…cb28000`: the end without the digits that it shares with the start. */
export function rangeText(start: string, end: string): string {
  const [from, to] = [start.replace(/^0x/, ""), end.replace(/^0x/, "")];
  if (from.length !== to.length) return `${from}–${to}`;
  let shared = 0;
  while (shared < from.length - 1 && from[shared] === to[shared]) shared += 1;
  const rest = to.slice(shared);
  return shared > 0 ? `${from}–…${rest}` : `${from}–${rest}`;
}

/** The memory with these ranges made huge. */
export function withHuge(
  os: OsConfig,
  pages: PageSize,
  huge: PageSize,
  starts: readonly string[],
): OsConfig {
  const size = BigInt(bytesOf(huge));
  const regions = [...starts]
    .map((start) => BigInt(start))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((start): RegionConfig => ({
      start: hex(start),
      end: hex(start + size),
      pages: huge,
    }));
  const next = withoutIdle({ ...os, default: pages, regions });
  // Given pages have the sizes of the old mapping.
  return starts.length === 0 ? next : withGiven(next, undefined);
}

function hex(address: bigint): string {
  return `0x${address.toString(16)}`;
}

/** Joins adjacent ranges. */
export function ranges(
  starts: readonly string[],
  huge: PageSize,
): readonly { readonly start: bigint; readonly bytes: bigint }[] {
  const size = BigInt(bytesOf(huge));
  const joined: { start: bigint; bytes: bigint }[] = [];
  const rising = starts.map((s) => BigInt(s)).sort((a, b) => (a < b ? -1 : 1));
  for (const start of rising) {
    const last = joined.at(-1);
    if (last && last.start + last.bytes === start) last.bytes += size;
    else joined.push({ start, bytes: size });
  }
  return joined;
}

/**
 * A sentence such as `4 pages of 2M in heap save 62.0 % of all walks …`; if no walks are saved, about miss
 * cycles.
 */
export function adviceSentence(
  advice: HugeAdvice,
  row: SimulatedRow | undefined,
): string {
  const [none] = advice.points;
  if (!none || !row) return `Huge pages of ${advice.huge} would save no walk.`;
  const what = `${counted(row.starts.length, "page")} of ${advice.huge} in ${row.name}`;
  const memory = `${memorySize(row.wasted)} of unused memory`;
  const isOne = row.starts.length === 1;
  if (!row.saved)
    return `${what} ${isOne ? "takes" : "take"} ${memory}; the simulation of what ${isOne ? "it saves" : "they save"} is running.`;
  const { walks, cycles } = row.saved;
  const saved =
    walks > 0
      ? `${percentOf(walks, none.walks)} of all walks`
      : cycles > 0
        ? `no walks, but ${percentOf(cycles, missCycles(none))} of all miss cycles`
        : "neither walks nor miss cycles";
  const [save, take] = isOne ? ["saves", "takes"] : ["save", "take"];
  return `${what} ${save} ${saved}, and ${take} ${memory}.`;
}

/** How the picks were found. */
export function pickedText({ picks }: Pick<HugeAdvice, "picks">): string {
  const single = picks.filter(({ tried }) => tried).length;
  const how = "the best addition to the earlier ones that simulations found";
  if (single === picks.length) return `Each page is ${how}.`;
  if (single === 0) return "Those with the most miss cycles come first.";
  const first =
    single === 1 ? "The first page" : `Each of the first ${single} pages`;
  return `${first} is ${how}; the others have the most miss cycles of their own.`;
}
