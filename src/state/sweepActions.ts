/** Sweeps of the open trace: rows are kept by number, so that what they are written to does not depend on who ended first. */
import type { TraceView } from "../engine/generated/TraceView";
import { MAX_ROWS } from "../model/sweep";
import type { Context } from "./context";
import { set } from "./context";
import { engineError, placed } from "./notices";

export interface SweepState {
  readonly trace: TraceView;
  readonly spec: string;
  readonly status: "running" | "done" | "cancelled" | "failed";
  readonly total: number;
  /** Rows that have ended, and parts of those that run. */
  readonly done: number;
  /** By row, as `pagewalk sweep` writes them. */
  readonly lines: ReadonlyMap<number, string>;
  /** What went wrong with all of it, or with rows that have no line. */
  readonly problem: string | undefined;
}

/** Runs what is not there of a sweep; a newer one ends it. */
export async function runSweep(context: Context, spec: string): Promise<void> {
  const { trace, sweep: before } = context.store.getState();
  if (!trace) return;
  context.sweep?.abort();
  const abort = new AbortController();
  context.sweep = abort;
  const { signal } = abort;
  const isSame = before?.trace === trace && before.spec === spec;
  let state: SweepState = {
    trace,
    spec,
    status: "running",
    total: isSame ? before.total : 0,
    done: isSame ? before.lines.size : 0,
    lines: isSame ? before.lines : new Map<number, string>(),
    problem: undefined,
  };
  const show = (part: Partial<SweepState>) => {
    state = { ...state, ...part };
    if (context.sweep === abort) set(context, { sweep: state });
  };
  show({});
  try {
    const total = await context.engine.sweepRows(spec);
    if (total > MAX_ROWS) {
      const problem = `The sweep has ${total} rows, more than ${MAX_ROWS}: download it and run it with pagewalk sweep.`;
      show({ status: "failed", problem });
      return;
    }
    const there = state.lines.size;
    const missing = Array.from({ length: total }, (_, row) => row).filter(
      (row) => !state.lines.has(row),
    );
    show({ total });
    await context.engine.sweep(spec, missing, {
      signal,
      onProgress: ({ done }) => show({ done: there + done }),
      onRow: (outcome) =>
        show(
          "line" in outcome
            ? { lines: new Map(state.lines).set(outcome.row, outcome.line) }
            : { problem: `Row ${outcome.row}: ${outcome.error.message}` },
        ),
    });
    show({ status: state.problem === undefined ? "done" : "failed" });
  } catch (thrown) {
    const error = engineError(thrown);
    if (error.code === "cancelled") show({ status: "cancelled" });
    else show({ status: "failed", problem: placed(error.message, error.at) });
  }
}

export function cancelSweep({ sweep }: Context): void {
  sweep?.abort();
}

/** The rows that are there as CSV, in their order. */
export function sweepTable({ store, engine }: Context): Promise<string> {
  const { sweep } = store.getState();
  return engine.sweepTable(sweepLines(sweep));
}

/** The rows that are there, in their order, one a line. */
export function sweepLines(sweep: SweepState | undefined): string {
  const rows = [...(sweep?.lines ?? [])].sort(([a], [b]) => a - b);
  return rows.map(([, line]) => `${line}\n`).join("");
}
