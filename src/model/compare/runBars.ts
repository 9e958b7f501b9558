/** Runs as bars: where their translations end, and what those cost. */
import type { Outcome } from "../../engine/generated/Outcome";
import type { RunReport } from "../../engine/generated/RunReport";
import { csv } from "../shared/csv";
import { fixed, percentOf } from "../shared/format";

export interface BarRun {
  readonly name: string;
  readonly report: RunReport;
}

export interface BarPart {
  /** The outcome whose fill the part has. */
  readonly outcome: Extract<Outcome, "l1-hit" | "l2-hit" | "walk">;
  /** The start and the length, as shares of the width. */
  readonly from: number;
  readonly share: number;
  /** The value: `3.8 %`. */
  readonly text: string;
}

export interface RunBar {
  readonly name: string;
  readonly ends: readonly BarPart[];
  /** The share that level 1 does not hold. */
  readonly missing: string;
  readonly costs: readonly BarPart[];
  /** Translation cycles per access; empty without an access. */
  readonly cost: string;
}

/** One row for each run. The bars of the costs share a scale. */
export function runBars(runs: readonly BarRun[]): readonly RunBar[] {
  const perAccess = ({ trace, cycles }: RunReport) =>
    trace.accesses > 0 ? cycles.total / trace.accesses : 0;
  const most = Math.max(...runs.map(({ report }) => perAccess(report)));
  return runs.map(({ name, report }) => {
    const { trace, cycles } = report;
    const { l1, l2, walks } = endsOf(report);
    const cost = perAccess(report);
    return {
      name,
      ends: parts(
        [
          ["l1-hit", l1],
          ["l2-hit", l2],
          ["walk", walks],
        ],
        l1 + l2 + walks,
        (n) => percentOf(n, l1 + l2 + walks),
      ),
      missing: percentOf(l2 + walks, l1 + l2 + walks),
      costs: parts(
        [
          ["l2-hit", cycles.l2_hit + cycles.l2_miss],
          ["walk", cycles.walk],
        ],
        cost > 0 ? (cycles.total * most) / cost : 0,
        (n) => fixed(n / trace.accesses, 3),
      ),
      cost: trace.accesses > 0 ? fixed(cost, 3) : "",
    };
  });
}

export function runBarsCsv(runs: readonly BarRun[]): string {
  return csv([
    ["run", "accesses", "l1_hits", "l2_hits", "walks", "l2_cycles", "cycles"],
    ...runs.map(({ name, report }) => {
      const { trace, cycles } = report;
      const { l1, l2, walks } = endsOf(report);
      const ofL2 = cycles.l2_hit + cycles.l2_miss;
      return [name, trace.accesses, l1, l2, walks, ofL2, cycles.total];
    }),
  ]);
}

/** The translations of fetches, loads and stores by where they end. A walk may raise a page fault. */
function endsOf({ kinds: { fetch, load, store } }: RunReport) {
  const sum = (of: "l1_hits" | "l2_hits" | "walks") =>
    fetch[of] + load[of] + store[of];
  return { l1: sum("l1_hits"), l2: sum("l2_hits"), walks: sum("walks") };
}

function parts(
  values: readonly (readonly [BarPart["outcome"], number])[],
  whole: number,
  textOf: (n: number) => string,
): readonly BarPart[] {
  let from = 0;
  return values.map(([outcome, n]) => {
    const share = whole > 0 ? n / whole : 0;
    const part = { outcome, from, share, text: textOf(n) };
    from += share;
    return part;
  });
}
