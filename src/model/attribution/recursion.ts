/** Makes one node of a function and its calls of itself: `main › insert › insert › insert` becomes `main › insert`. */
import type { AttributionCounts } from "../../engine/generated/AttributionCounts";
import type { CallNode } from "../../engine/generated/CallNode";
import type { CallPaths } from "../../engine/generated/CallPaths";

export interface Merged {
  readonly calls: CallPaths;
  /** The nodes that stand for several calls of a function. */
  readonly recursive: ReadonlySet<number>;
}

/** Callers come before their calls in the list, as in the list of all nodes. */
export function withoutRecursion(calls: CallPaths): Merged {
  const nodes: CallNode[] = [];
  const recursive = new Set<number>();
  /** The place in the new list for each node of the old one. */
  const places: number[] = [];
  const known = new Map<string, number>();
  for (const node of calls.nodes) {
    const caller = node.parent === null ? null : (places[node.parent] ?? null);
    const above = caller === null ? undefined : nodes[caller];
    if (caller !== null && above?.name === node.name) {
      // The count of the caller with its calls has this call already.
      nodes[caller] = { ...above, own: sum(above.own, node.own) };
      recursive.add(caller);
      places.push(caller);
      continue;
    }
    const key = JSON.stringify([caller, node.name]);
    const at = known.get(key);
    const same = at === undefined ? undefined : nodes[at];
    if (at !== undefined && same) {
      const [own, total] = [
        sum(same.own, node.own),
        sum(same.total, node.total),
      ];
      nodes[at] = { ...same, own, total };
      places.push(at);
    } else {
      known.set(key, nodes.length);
      places.push(nodes.length);
      nodes.push({ ...node, parent: caller });
    }
  }
  return { calls: { ...calls, nodes }, recursive };
}

/** Whether a caller of this node stands for several calls, so that the node has no path of its own. */
export function isBelowRecursion({ calls, recursive }: Merged, at: number) {
  let caller = calls.nodes[at]?.parent ?? null;
  while (caller !== null && !recursive.has(caller))
    caller = calls.nodes[caller]?.parent ?? null;
  return caller !== null;
}

function sum(a: AttributionCounts, b: AttributionCounts): AttributionCounts {
  return {
    accesses: a.accesses + b.accesses,
    l1_misses: a.l1_misses + b.l1_misses,
    walks: a.walks + b.walks,
    faults: a.faults + b.faults,
    exceptions: a.exceptions + b.exceptions,
    l2_hit_cycles: a.l2_hit_cycles + b.l2_hit_cycles,
    l2_miss_cycles: a.l2_miss_cycles + b.l2_miss_cycles,
    walk_cycles: a.walk_cycles + b.walk_cycles,
  };
}
