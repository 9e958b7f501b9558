/** The lines that a walk of hashed page tables reads at the same time, as rows of tables and columns of ways. */
import type { HashedLineView } from "../../engine/generated/HashedLineView";
import type { HashedView } from "../../engine/generated/HashedView";
import type { LevelView } from "../../engine/generated/LevelView";
import { cycles } from "../shared/format";

export interface LinesPicture {
  /** The numbers of the ways that are read in any table. */
  readonly ways: readonly number[];
  readonly tables: readonly {
    readonly name: string;
    /** By way; `undefined` if the walk caches rule it out. */
    readonly lines: readonly (HashedLineView | undefined)[];
  }[];
  /** Short sentences for below the picture. */
  readonly caption: readonly string[];
}

/** Whether a line has the entry that maps the page, or the entry that refused the access. */
export const isOfEntry = (
  line: HashedLineView | undefined,
  level: Pick<LevelView, "table"> | undefined,
): boolean => line !== undefined && (line.hit || line.address === level?.table);

/** `level` is the entry that maps the page, or that refused the access. */
export function linesPicture(
  { lines }: Pick<HashedView, "lines">,
  level: Pick<LevelView, "cycles" | "table"> | undefined,
): LinesPicture {
  const ways = unique(lines.map(({ way }) => way)).toSorted((a, b) => a - b);
  const tables = unique(lines.map(({ table }) => table)).map((name) => ({
    name,
    lines: ways.map((of) =>
      lines.find(({ table, way }) => table === name && way === of),
    ),
  }));
  return { ways, tables, caption: captionOf(lines, level) };
}

function captionOf(
  lines: readonly HashedLineView[],
  level: Pick<LevelView, "cycles" | "table"> | undefined,
): readonly string[] {
  const hit = lines.find((line) => isOfEntry(line, level));
  const waited = level?.cycles ?? null;
  const [only, ...others] = lines;
  if (!only) return ["No line is read: walk caches rule out all."];
  const first =
    others.length === 0
      ? "One line is read: walk caches rule out the others."
      : `${lines.length} lines are read at the same time.`;
  if (!hit) return [first, "No line holds the page."];
  if (!hit.hit)
    return [
      first,
      `Way ${hit.way} of ${hit.table} has the entry, but no page there.`,
    ];
  const holds = `Way ${hit.way} of ${hit.table} holds the page.`;
  if (waited === null || others.length === 0) return [first, holds];
  const slowest = Math.max(...lines.map((line) => line.read?.cycles ?? 0));
  const end =
    waited < slowest
      ? `The walk ends with that read, after ${cycles(waited)}.`
      : `The walk waits for the slowest read: ${cycles(waited)}.`;
  return [first, holds, end];
}

const unique = <T>(list: readonly T[]): readonly T[] => [...new Set(list)];
