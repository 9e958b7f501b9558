/** The entries of one set, for a table. */
import type { RegionReport } from "../../engine/generated/RegionReport";
import type { StructureView } from "../../engine/generated/StructureView";
import type { AccessIndex, Share } from "../shared/units";
import { entryAt } from "./array";
import type { ArrayColumns, ArrayEntry } from "./array";

/** `way` is the order of the array; `recency` puts the entry that was used last first. */
export type SetOrder = "way" | "recency";

export interface SetRow {
  readonly way: number;
  readonly entry: ArrayEntry;
  /** The name of the region of its page; empty if it is unknown. */
  readonly region: string;
  /** The number of accesses since its last use. */
  readonly ago: AccessIndex;
  /** The length of the bar: 1 for the entry that was used last. */
  readonly share: Share;
}

export interface SetRows {
  readonly rows: readonly SetRow[];
  readonly empty: number;
  /** The number of entries that have no space. */
  readonly more: number;
}

/** A set with more ways is cut. */
const LISTED = 16;
/** The bar of the entry that has been unused for longest. */
const SHORTEST = 0.1;

export interface SetQuery {
  readonly view: Pick<StructureView, "ways">;
  readonly content: ArrayColumns;
  readonly set: number;
  readonly now: AccessIndex;
  readonly order: SetOrder;
  readonly regions: readonly Pick<RegionReport, "start" | "end" | "name">[];
}

export function setRows(query: SetQuery): SetRows {
  const { view, content, set, now, order, regions } = query;
  const entries = Array.from({ length: view.ways }, (_, way) =>
    entryAt(content, view.ways, set, way),
  ).filter((entry) => entry !== null);
  const times = entries.map(({ usedAt }) => usedAt);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const rows = entries.map((entry): SetRow => {
    const { usedAt } = entry;
    const recent = last === first ? 1 : (usedAt - first) / (last - first);
    return {
      way: entry.way,
      entry,
      region: regionOf(entry, regions),
      ago: Math.max(0, now - usedAt),
      share: SHORTEST + (1 - SHORTEST) * recent,
    };
  });
  const sorted =
    order === "way"
      ? rows
      : rows.toSorted((a, b) => b.entry.usedAt - a.entry.usedAt);
  return {
    rows: sorted.slice(0, LISTED),
    empty: view.ways - rows.length,
    more: Math.max(0, rows.length - LISTED),
  };
}

function regionOf(
  { key, keyShift, table }: ArrayEntry,
  regions: SetQuery["regions"],
): string {
  if (table) return "";
  const at = key << BigInt(keyShift);
  const found = regions.find(
    ({ start, end }) => BigInt(start) <= at && at < BigInt(end),
  );
  return found?.name ?? "";
}
