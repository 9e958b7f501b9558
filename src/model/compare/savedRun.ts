/** Saved runs: what is stored of each, and the rows that `pagewalk sweep` writes in the same form. */
import { WHOLE_TRACE } from "../../engine/generated/defaults";
import type { RunReport } from "../../engine/generated/RunReport";
import { withDefaults } from "../config/defaults";
import type { Permalink } from "../permalink/permalink";
import { same } from "../shared/mergePatch";
import type { SideSetup } from "./sides";

/** How to open the run's trace again, in the words of links. */
export type TraceLink = Pick<Permalink, "trace" | "file" | "hash" | "workload">;

/** The version of the format; it rises when stored data changes. Runs before version 1 have none. */
export const SAVED_VERSION = 1;

export interface SavedRun extends SideSetup {
  readonly version?: number;
  /** The version of the program that simulated the run. Older stored runs have none. */
  readonly program?: string;
  /** The unique id of the run, also in links. */
  readonly id: string;
  readonly name: string;
  readonly note: string;
  /** When the run was saved, in milliseconds since 1970. */
  readonly date: number;
  readonly trace: {
    readonly name: string;
    /** A hash of the contents: equal traces have equal hashes. */
    readonly hash: string;
    readonly link: TraceLink;
  };
  /** The report without the memory map, which can be longer than all the rest. */
  readonly report: RunReport;
}

/** Creates the saved form of a run's report. */
export function savedReport(report: RunReport): RunReport {
  return { ...report, regions: [] };
}

/** A stored run, with fields added that machines have got since. Unreadable parts stay as they are. */
export function savedFilled(run: SavedRun): SavedRun {
  const { setup } = run as Partial<SavedRun>;
  if (!setup) return run;
  const machine = withDefaults(setup.machine);
  return { ...run, setup: { ...setup, machine } };
}

/** Returns whether two runs counted the same accesses, with the same kind of cores. */
export function isSamePart(a: SavedRun, b: SavedRun): boolean {
  const windowOf = ({ setup }: SavedRun) => ({
    ...WHOLE_TRACE,
    ...setup.window,
  });
  return (
    same(windowOf(a), windowOf(b)) &&
    (a.setup.cores ?? "one") === (b.setup.cores ?? "one")
  );
}

/** Runs as JSON lines in the form of `pagewalk sweep`, which can merge them and convert them to CSV. */
export function savedLines(runs: readonly SavedRun[]): string {
  return runs.map((run, row) => `${line(run, row, runs.length)}\n`).join("");
}

function line(run: SavedRun, row: number, rows: number): string {
  const { name, note, date, cpu, trace, setup, program, report } = run;
  const { machine, os, cores = "one" } = setup;
  return JSON.stringify({
    row,
    rows,
    sweep: "saved",
    about: {
      program: "pagewalk",
      version: program,
      machine: { name: machine.name },
      trace: { name: trace.name, digest: trace.hash },
    },
    trace: { name: trace.name, hash: trace.hash },
    axes: { name, cpu, saved: new Date(date).toISOString(), note },
    machine,
    os,
    cores,
    window: setup.window ?? WHOLE_TRACE,
    version: program,
    report,
  });
}

/** The traces of the runs by hash, those with the most runs first. */
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
