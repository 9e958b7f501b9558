/** Runs that the user saved: what is kept of each, and the lines that `pagewalk sweep` writes of such. */
import type { RunReport } from "../../engine/generated/RunReport";
import { withDefaults } from "../config/defaults";
import type { Permalink } from "../permalink/permalink";
import { same } from "../shared/mergePatch";
import type { SideSetup } from "./sides";

/** Where the trace of a run is found again, as links say it. */
export type TraceLink = Pick<Permalink, "trace" | "file" | "hash" | "workload">;

/** Rises when what is saved of a run changes; runs of before version 1 have none. */
export const SAVED_VERSION = 1;

export interface SavedRun extends SideSetup {
  readonly version?: number;
  /** Tells runs apart, also in links. */
  readonly id: string;
  readonly name: string;
  readonly note: string;
  /** When it was saved, in milliseconds since 1970. */
  readonly date: number;
  readonly trace: {
    readonly name: string;
    /** The same for traces of the same contents. */
    readonly hash: string;
    readonly link: TraceLink;
  };
  /** Without the memory map, which can be longer than all the rest. */
  readonly report: RunReport;
}

/** What the report of a run is saved as. */
export function savedReport(report: RunReport): RunReport {
  return { ...report, regions: [] };
}

/** A run as it was stored, with what machines have had since then. What cannot be read stays as it is. */
export function savedFilled(run: SavedRun): SavedRun {
  const { setup } = run as Partial<SavedRun>;
  if (!setup) return run;
  const machine = withDefaults(setup.machine);
  return { ...run, setup: { ...setup, machine } };
}

/** True if two runs counted the same accesses, on cores of the same kind. */
export function isSamePart(a: SavedRun, b: SavedRun): boolean {
  const windowOf = ({ setup }: SavedRun) => ({ ...WHOLE, ...setup.window });
  return (
    same(windowOf(a), windowOf(b)) &&
    (a.setup.cores ?? "one") === (b.setup.cores ?? "one")
  );
}

const WHOLE = { skip: 0, warmup: 0 } as const;

/** Runs as lines of JSON, each as `pagewalk sweep` writes a row: it merges them, and makes CSV of them. */
export function savedLines(runs: readonly SavedRun[]): string {
  return runs.map((run, row) => `${line(run, row, runs.length)}\n`).join("");
}

function line(run: SavedRun, row: number, rows: number): string {
  const { name, note, date, cpu, trace, setup, report } = run;
  const { machine, os, cores = "one" } = setup;
  return JSON.stringify({
    row,
    rows,
    sweep: "saved",
    trace: { name: trace.name, hash: trace.hash },
    axes: { name, cpu, saved: new Date(date).toISOString(), note },
    machine,
    os,
    cores,
    window: setup.window ?? WHOLE,
    report,
  });
}

/** The traces of some runs, by hash, those with most runs first. */
export function savedTraces(runs: readonly SavedRun[]): readonly {
  readonly hash: string;
  readonly name: string;
  readonly n: number;
}[] {
  const traces = new Map<string, { hash: string; name: string; n: number }>();
  for (const { trace } of runs) {
    const { hash, name } = trace;
    const known = traces.get(hash);
    traces.set(hash, {
      hash,
      name: known?.name ?? name,
      n: (known?.n ?? 0) + 1,
    });
  }
  return [...traces.values()].sort((a, b) => b.n - a.n);
}
