/**
 * Sweeps of the open trace. Rows are stored by number, so that files do not depend on which row ended first.
 */
import { isFatal } from "../../engine/errors";
import { count, counted } from "../../model/shared/format";
import { placed } from "../../model/shared/place";
import { MAX_ROWS, rowOf } from "../../model/whatif/sweep";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { engineError } from "../notices";
import { sweepLines } from "../../model/whatif/sweepState";
import type { EndedRow, SweepState } from "../../model/whatif/sweepState";

/** Runs the missing rows of a sweep; a newer sweep cancels it. */
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
  await reportErrors(context, async () => {
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
  const total = await engine.call("sweepRows", { spec });
  const { sweep, trace } = store.getState();
  // The rows would belong to a trace that was opened meanwhile.
  if (signal.aborted || !sweep || sweep.trace !== trace) {
    shown.now({ status: "cancelled" });
    return;
  }
  if (total > MAX_ROWS) {
    const problem = `The sweep has ${counted(total, "row")}, more than ${count(MAX_ROWS)}: save it and run it with pagewalk sweep.`;
    shown.now({ total, status: "failed", problem });
    return;
  }
  shown.now({ total });
  const there = sweep.rows.size;
  const missing = Array.from({ length: total }, (_, row) => row).filter(
    (row) => !sweep.rows.has(row),
  );
  let problem: string | undefined;
  const rows = missing.map((row) => ({ spec, row }));
  await engine.many("runRow", rows, {
    signal,
    onProgress: ({ done }) => shown.soon({ done: there + done }),
    onOutcome: (outcome) => {
      const row = missing[outcome.index] ?? 0;
      if ("result" in outcome) {
        const line = outcome.result;
        shown.row(row, { line, row: rowOf(line) });
      } else {
        problem = `Row ${row}: ${outcome.error.message}`;
        shown.soon({ problem });
      }
    },
  });
  shown.now({ status: problem === undefined ? "done" : "failed" });
}

/** Shows the progress of the latest sweep: rows that end between two frames appear together. */
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

  /** Shows a change at the next frame. */
  soon(part: Partial<SweepState>): void {
    this.#part = { ...this.#part, ...part };
    this.#cancelFrame ??= this.#context.clock.frame(() => this.now({}));
  }

  /** Shows a change now, with all changes that wait for a frame. */
  now(part: Partial<SweepState>): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    const [waiting, ended] = [this.#part, this.#rows];
    this.#part = {};
    this.#rows = [];
    // The trace may be another object by now, since it is read again after a crash.
    const { sweep } = this.#context.store.getState();
    if (!sweep || this.#context.sweep !== this.#owner) return;
    const rows =
      ended.length > 0 ? new Map([...sweep.rows, ...ended]) : sweep.rows;
    set(this.#context, { sweep: { ...sweep, ...waiting, ...part, rows } });
  }
}

/** The finished rows as CSV, in order. */
export function sweepCsv({ store, engine }: Context): Promise<string> {
  const { sweep } = store.getState();
  return engine.call("sweepTable", { lines: sweepLines(sweep) });
}
