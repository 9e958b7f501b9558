/** Sweeps of the open trace: rows are kept by number, so that what they are written to does not depend on who ended first. */
import { isFatal } from "../../engine/errors";
import { count } from "../../model/shared/format";
import { placed } from "../../model/shared/place";
import { MAX_ROWS, rowOf } from "../../model/whatif/sweep";
import type { Context } from "../context";
import { set } from "../context";
import { guard } from "../guard";
import { engineError } from "../notices";
import type { EndedRow, SweepState } from "./sweepState";

/** Runs what is not there of a sweep; a newer one ends it. */
export async function runSweep(context: Context, spec: string): Promise<void> {
  const { trace, sweep: before } = context.store.getState();
  if (!trace) return;
  context.sweep?.abort();
  const abort = new AbortController();
  context.sweep = abort;
  const isSame = before?.trace === trace && before.spec === spec;
  const rows: SweepState["rows"] = isSame ? before.rows : new Map();
  set(context, {
    sweep: {
      trace,
      spec,
      status: "running",
      total: isSame ? before.total : 0,
      done: rows.size,
      rows,
      problem: undefined,
    },
  });
  const shown = new Shown(context, abort);
  await guard(context, async () => {
    try {
      await runMissing(context, { spec, shown, signal: abort.signal });
    } catch (thrown) {
      const error = engineError(thrown);
      if (error.code === "cancelled") shown.now({ status: "cancelled" });
      else
        shown.now({
          status: "failed",
          problem: placed(error.message, error.at),
        });
      if (isFatal(error)) throw error;
    }
  });
}

interface Running {
  readonly spec: string;
  readonly shown: Shown;
  readonly signal: AbortSignal;
}

async function runMissing(
  context: Context,
  { spec, shown, signal }: Running,
): Promise<void> {
  const { engine, store } = context;
  const total = await engine.sweepRows(spec);
  const { sweep, trace } = store.getState();
  // The rows would be of a trace that was opened meanwhile.
  if (signal.aborted || !sweep || sweep.trace !== trace) {
    shown.now({ status: "cancelled" });
    return;
  }
  if (total > MAX_ROWS) {
    const problem = `The sweep has ${count(total)} rows, more than ${count(MAX_ROWS)}: save it and run it with pagewalk sweep.`;
    shown.now({ total, status: "failed", problem });
    return;
  }
  shown.now({ total });
  const there = sweep.rows.size;
  const missing = Array.from({ length: total }, (_, row) => row).filter(
    (row) => !sweep.rows.has(row),
  );
  let problem: string | undefined;
  await engine.sweep(spec, missing, {
    signal,
    onProgress: ({ done }) => shown.soon({ done: there + done }),
    onRow: (outcome) => {
      if ("line" in outcome) {
        const { row, line } = outcome;
        shown.row(row, { line, row: rowOf(line) });
      } else {
        problem = `Row ${outcome.row}: ${outcome.error.message}`;
        shown.soon({ problem });
      }
    },
  });
  shown.now({ status: problem === undefined ? "done" : "failed" });
}

/** What is shown of a sweep while no newer one is run: what comes between two frames is shown together. */
class Shown {
  readonly #context: Context;
  readonly #owner: AbortController;
  #part: Partial<SweepState> = {};
  #rows: (readonly [number, EndedRow])[] = [];
  #cancelFrame: (() => void) | undefined;

  constructor(context: Context, owner: AbortController) {
    this.#context = context;
    this.#owner = owner;
  }

  row(row: number, ended: EndedRow): void {
    this.#rows.push([row, ended]);
    this.soon({});
  }

  /** With the next frame. */
  soon(part: Partial<SweepState>): void {
    this.#part = { ...this.#part, ...part };
    this.#cancelFrame ??= this.#context.clock.frame(() => this.now({}));
  }

  /** With all that waits for a frame. */
  now(part: Partial<SweepState>): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    const [waiting, ended] = [this.#part, this.#rows];
    this.#part = {};
    this.#rows = [];
    // The trace may be another object by now: after a crash it is read again.
    const { sweep } = this.#context.store.getState();
    if (!sweep || this.#context.sweep !== this.#owner) return;
    const rows =
      ended.length > 0 ? new Map([...sweep.rows, ...ended]) : sweep.rows;
    set(this.#context, { sweep: { ...sweep, ...waiting, ...part, rows } });
  }
}

/** The rows that are there as CSV, in their order. */
export function sweepTable({ store, engine }: Context): Promise<string> {
  const { sweep } = store.getState();
  return engine.sweepTable(sweepLines(sweep));
}

/** The rows that are there, in their order. */
export function endedRows(rows: SweepState["rows"]): readonly EndedRow[] {
  return [...rows].sort(([a], [b]) => a - b).map(([, ended]) => ended);
}

/** Their lines. */
export function sweepLines(sweep: SweepState | undefined): string {
  return endedRows(sweep?.rows ?? new Map<number, EndedRow>())
    .map(({ line }) => `${line}\n`)
    .join("");
}
