/** What a student may know before an access: the accesses until there, and the pages that are mapped. */
import type { Ask } from "../../engine/generated/Ask";
import type { Kind } from "../../engine/generated/Kind";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { StepView } from "../../engine/generated/StepView";
import { bytesOf } from "../shared/pageSizes";

/** More rows are no list that one reads. */
export const MOST_KNOWN = 64;

export interface KnownAccess {
  readonly at: number;
  readonly kind: Kind;
  readonly address: bigint;
  readonly page: bigint;
}

/** Pages that follow each other. */
export interface KnownPages {
  readonly page: bigint;
  readonly count: number;
  readonly size: string;
  /** That of the first page; missing if nothing says it, or if it is the answer. */
  readonly frame?: bigint | undefined;
  /** The access that used it last; missing if the system mapped it before the first access. */
  readonly usedAt?: number;
}

/** What an exercise shows next to the picture of a question. */
export interface Needs {
  readonly accesses: boolean;
  readonly pages: boolean;
  readonly frames: boolean;
  /** All arrays and walk caches, not only one. */
  readonly arrays: boolean;
  /** The shape and the policy of the array of the question. */
  readonly policy: boolean;
}

export function needsOf({ kind }: Ask, step: StepView | undefined): Needs {
  const isWhole = kind === "outcome" || kind === "references";
  const arrays = isWhole || kind === "cycles" || kind === "number";
  // Without a walk, the picture has no entry with the frame.
  const frames = kind === "physical" && step?.translations[0]?.refs === 0;
  return {
    accesses: kind === "number" || kind === "victim" || kind === "way",
    pages: isWhole || kind === "cycles" || frames,
    frames,
    arrays,
    policy: kind === "set" || kind === "way" || kind === "victim",
  };
}

/** A line of the trace. */
export interface TraceLine {
  readonly kind: string;
  readonly address: bigint;
  readonly size: number;
  readonly pid: string;
}

const KINDS = new Set<string>(["fetch", "load", "store", "prefetch"]);

/** Reads the CSV of an export; columns may be missing. */
export function traceLines(csv: string): readonly TraceLine[] {
  const [head = "", ...rows] = csv.trimEnd().split("\n");
  const names = head.split(",");
  const [kind, address, size, pid] = ["kind", "address", "size", "pid"].map(
    (name) => names.indexOf(name),
  );
  return rows.map((row) => {
    const cells = row.split(",");
    const of = (at = -1) => cells[at] ?? "";
    return {
      kind: of(kind),
      address: /^0x[0-9a-f]+$/i.test(of(address)) ? BigInt(of(address)) : 0n,
      size: Number(of(size)) || 1,
      pid: of(pid),
    };
  });
}

/** Operations after which pages are no longer mapped. */
const UNMAPS = new Set(["munmap", "madvise"]);

/**
 * Returns the last access to each page of the smallest size that the process of access `at` used before it. Pages that
 * an operation unmapped are left out.
 */
export function lastUses(
  lines: readonly TraceLine[],
  at: number,
  offsetBits: number,
): ReadonlyMap<bigint, number> {
  const shift = BigInt(offsetBits);
  const isAccess = ({ kind }: TraceLine) => KINDS.has(kind);
  const pid = lines.filter(isAccess)[at]?.pid;
  const uses = new Map<bigint, number>();
  let index = 0;
  for (const line of lines) {
    const isOwn = line.pid === "" || line.pid === pid;
    const first = line.address >> shift;
    const last = (line.address + BigInt(line.size - 1)) >> shift;
    if (isAccess(line)) {
      if (index === at) break;
      if (isOwn) for (const page of [first, last]) uses.set(page, index);
      index += 1;
    } else if (isOwn && UNMAPS.has(line.kind))
      for (const page of uses.keys())
        if (page >= first && page <= last) uses.delete(page);
  }
  return uses;
}

/** The pages that are nearest to a page, at most `MOST_KNOWN`. */
export function nearest(
  pages: Iterable<bigint>,
  to: bigint,
): readonly bigint[] {
  const distance = (page: bigint) => (page > to ? page - to : to - page);
  const closer = (a: bigint, b: bigint) =>
    distance(a) < distance(b) ? -1 : distance(a) > distance(b) ? 1 : 0;
  return [...pages].sort(closer).slice(0, MOST_KNOWN);
}

/** The pages that are mapped before the first access. */
export function mappedFirst(
  { given, regions }: OsConfig,
  smallest: string,
): readonly KnownPages[] {
  const listed = (given?.pages ?? [])
    .filter(({ valid = true }) => valid)
    .map(({ page, frame, count = 1, size = smallest }) => ({
      page: BigInt(page),
      count,
      size,
      ...(frame !== undefined && { frame: BigInt(frame) }),
    }));
  const touched = regions
    .filter(({ pretouch }) => pretouch === true)
    .map(({ start, end, pages }) => {
      const size = Number.isFinite(bytesOf(pages)) ? pages : smallest;
      const bytes = BigInt(bytesOf(size));
      const page = BigInt(start) / bytes;
      return { page, count: Number(BigInt(end) / bytes - page), size };
    });
  return [...listed, ...touched];
}

/** The pages in the order of their addresses; a later use of the same memory replaces what was mapped there before. */
export function tableBefore(
  first: readonly KnownPages[],
  used: readonly KnownPages[],
): readonly KnownPages[] {
  const from = ({ page, size }: KnownPages) => page * BigInt(bytesOf(size));
  const end = (of: KnownPages) =>
    from(of) + BigInt(of.count) * BigInt(bytesOf(of.size));
  const kept: KnownPages[] = [];
  const newestFirst = [...used].sort(
    (a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0),
  );
  for (const pages of newestFirst)
    if (
      !kept.some((each) => from(each) < end(pages) && from(pages) < end(each))
    )
      kept.push(pages);
  // A use of a given page adds nothing to its row.
  const own = kept.filter(
    (pages) =>
      !first.some(
        (each) => from(each) <= from(pages) && end(pages) <= end(each),
      ),
  );
  return [...first, ...own].sort((a, b) =>
    from(a) < from(b) ? -1 : from(a) > from(b) ? 1 : 0,
  );
}
