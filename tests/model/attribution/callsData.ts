/** A run with call paths. */
import type { AttributionCounts } from "../../../src/engine/generated/AttributionCounts";
import type { AttributionView } from "../../../src/engine/generated/AttributionView";

const NONE: AttributionCounts = {
  accesses: 0,
  l1_misses: 0,
  walks: 0,
  faults: 0,
  exceptions: 0,
  l2_hit_cycles: 0,
  l2_miss_cycles: 0,
  walk_cycles: 0,
};
const EMPTY = { rows: [], n_others: 0, others: NONE, unknown: NONE };
const of = (walks: number) => ({ ...NONE, walks, accesses: 10 * walks });
const node = (
  name: string,
  parent: number | null,
  own: number,
  total: number,
) => ({ name, parent, own: of(own), total: of(total) });

/** `main` calls `join` and `sort`, `join` calls `probe` and itself. */
export const VIEW: AttributionView = {
  total: of(100),
  regions: EMPTY,
  pages: EMPTY,
  objects: EMPTY,
  instructions: EMPTY,
  lines: EMPTY,
  symbols: EMPTY,
  calls: {
    nodes: [
      node("main", null, 10, 80),
      node("join", 0, 0, 60),
      node("probe(int; int)", 1, 40, 40),
      node("join", 1, 20, 20),
      node("sort", 0, 10, 10),
    ],
    n_others: 2,
    others: of(5),
    unknown: of(15),
  },
};
