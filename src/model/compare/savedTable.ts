/** Saved runs as a table: counters in columns, each with its difference from a baseline. */
import { CORE_OF } from "../config/cores";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { numberText, signedShare, totalsOf } from "./totals";
import type { Totals } from "./totals";
import { cpuOf } from "../config/cpus";
import type { Column } from "../shared/dataTable";
import { count, counted } from "../shared/format";
import { mappingText } from "../config/mapping";
import { same } from "../shared/mergePatch";
import { pagesText } from "../config/pagePolicies";
import { isSamePart, savedLines } from "./savedRun";
import type { SavedRun } from "./savedRun";
import { completenessWord } from "../import/traceText";
import { wordsOfConfig } from "../words/words";

/** A run with values computed once from it. */
export interface SavedRow {
  readonly run: SavedRun;
  readonly totals: Totals;
  /** Machine: `Skylake-SP, edited`. */
  readonly cpu: string;
  /** Memory: `4K, native`. */
  readonly memory: string;
  /** The counted part of the trace and the kind of cores; empty = the whole trace on one core. */
  readonly part: string;
}

export function savedRow(cpus: readonly CpuModel[], run: SavedRun): SavedRow {
  const { machine, os, cores = "one", window } = run.setup;
  const model = cpuOf(cpus, run.cpu);
  const edited = same(model?.machine, machine) ? "" : ", edited";
  const own = cores === "one" ? "" : `one core per ${CORE_OF[cores]}`;
  return {
    run,
    totals: totalsOf(run.report),
    cpu: `${model?.name ?? machine.name}${edited}`,
    memory: `${pagesText(os)}, ${mappingText(os, wordsOfConfig(machine))}`,
    part: [window ? partText(window) : "", own]
      .filter((text) => text !== "")
      .join(", "),
  };
}

/**
 * Splits the runs into readable and unreadable ones. An unreadable run is damaged, or another version stored
 * it.
 */
export function savedRows(
  cpus: readonly CpuModel[],
  runs: readonly SavedRun[],
): { readonly rows: readonly SavedRow[]; readonly unreadable: UnreadRun[] } {
  const rows: SavedRow[] = [];
  const unreadable: UnreadRun[] = [];
  for (const run of runs) {
    const row = readableRow(cpus, run);
    if (row) rows.push(row);
    else {
      const { id, name = "" } = run as Partial<SavedRun>;
      unreadable.push({ id: id ?? "", name });
    }
  }
  return { rows, unreadable };
}

/** What is known about an unreadable run. */
export type UnreadRun = Pick<SavedRun, "id" | "name">;

/** Returns `undefined` if a cell or the JSON line of the run cannot be written. */
function readableRow(
  cpus: readonly CpuModel[],
  run: SavedRun,
): SavedRow | undefined {
  try {
    const row = savedRow(cpus, run);
    for (const column of savedColumns([row], undefined))
      column.text(row).trim();
    savedLines([run]);
    return row;
  } catch {
    return undefined;
  }
}

interface Counter {
  readonly id: string;
  readonly head: string;
  readonly help?: string;
  readonly decimals?: number;
  /** `undefined` if the machine has no such structure. */
  readonly of: (row: SavedRow) => number | undefined;
}

const COUNTERS: readonly Counter[] = [
  {
    id: "cost",
    head: "cycles per access",
    help: "Translation only, computed from stated latencies: a model, not a measurement.",
    decimals: 3,
    of: ({ totals: { cycles, accesses } }) =>
      accesses > 0 ? cycles / accesses : undefined,
  },
  { id: "walks", head: "walks", of: ({ totals }) => totals.walks },
  {
    id: "walk-cycles",
    head: "walk cycles",
    help: "A model: overhead and the latency of each reference.",
    of: ({ run }) => run.report.cycles.walk,
  },
  {
    id: "cycles",
    head: "cycles",
    help: "Of L2 lookups and walks. A model, not a measurement.",
    of: ({ totals }) => totals.cycles,
  },
  {
    id: "l1",
    head: "L1 misses",
    help: "Of fetches, loads and stores.",
    of: ({ totals }) => totals.l1Misses,
  },
  {
    id: "l2",
    head: "L2 TLB misses",
    help: "L1 misses that also missed level 2.",
    of: ({ totals }) => totals.l2Misses,
  },
  {
    id: "refs",
    head: "references",
    help: "Page-table entries read by all walks.",
    of: ({ totals }) => totals.refs,
  },
  { id: "faults", head: "faults", of: ({ totals }) => totals.faults },
  { id: "accesses", head: "accesses", of: ({ totals }) => totals.accesses },
];

/** Hits of the TLB arrays and walk caches of the runs, by name. */
function structureCounters(rows: readonly SavedRow[]): readonly Counter[] {
  const names = new Set(
    rows.flatMap(({ run }) => structuresOf(run).map(({ name }) => name)),
  );
  return [...names].map((name) => ({
    id: `hits ${name}`,
    head: `${name} hits`,
    of: ({ run }) => structuresOf(run).find((each) => each.name === name)?.hits,
  }));
}

function structuresOf({ setup, report: { structures, walks } }: SavedRun) {
  const words = wordsOfConfig(setup.machine);
  const caches = walks.psc.map((row) => ({
    ...row,
    name: words.walkCache(row.name),
  }));
  return [...structures, ...caches];
}

/**
 * The table's columns. `baseline` is the row that the other rows are compared with, if they counted the same.
 */
export function savedColumns(
  rows: readonly SavedRow[],
  baseline: SavedRow | undefined,
): readonly Column<SavedRow>[] {
  const isCompared = ({ run }: SavedRow) =>
    baseline !== undefined &&
    run.id !== baseline.run.id &&
    isComparable(run, baseline.run);
  const column = (counter: Counter): Column<SavedRow> => {
    const { id, head, help, decimals, of } = counter;
    return {
      id,
      head,
      isNumber: true,
      ...(help !== undefined && { help }),
      text: (row) =>
        numberText(of(row), decimals === undefined ? {} : { decimals }),
      value: of,
      more: (row) =>
        baseline && isCompared(row) ? signedShare(of(baseline), of(row)) : "",
    };
  };
  return [
    {
      id: "name",
      head: "run",
      text: ({ run }) => run.name,
      value: ({ run }) => run.name,
      more: ({ run }) =>
        [run.id === baseline?.run.id ? "baseline" : "", tagOf(run)]
          .filter((text) => text !== "")
          .join(", "),
    },
    ...COUNTERS.map(column),
    words("trace", "trace", ({ run }) => run.trace.name),
    words("cpu", "CPU model", ({ cpu }) => cpu),
    words("memory", "memory", ({ memory }) => memory),
    ...structureCounters(rows).map(column),
    words("part", "part", ({ part }) => part),
    {
      id: "saved",
      head: "saved",
      text: ({ run }) => when(run.date),
      value: ({ run }) => new Date(run.date).toISOString(),
    },
    words("note", "note", ({ run }) => run.note),
  ];
}

/** The completeness (`sampled`), shown next to the counts of an incomplete trace. */
function tagOf({ report }: SavedRun): string {
  const { completeness, part } = report.trace;
  return completeness === "complete" && !part
    ? ""
    : completenessWord(completeness, undefined, part);
}

/** Runs with other accesses differ for more reasons than their machines. */
function isComparable(a: SavedRun, b: SavedRun): boolean {
  return a.trace.hash === b.trace.hash && isSamePart(a, b);
}

function words(
  id: string,
  head: string,
  of: (row: SavedRow) => string,
): Column<SavedRow> {
  return { id, head, text: of, value: of };
}

/** Additional columns of the CSV file: the settings of each run and its differences from the baseline. */
export function savedFileColumns(
  rows: readonly SavedRow[],
  baseline: SavedRow | undefined,
): readonly Column<SavedRow>[] {
  const counters = [...COUNTERS, ...structureCounters(rows)];
  const difference = ({ id, head, of }: Counter): Column<SavedRow> => {
    const value = (row: SavedRow) => {
      const [from, to] = [baseline && of(baseline), of(row)];
      if (from === undefined || to === undefined || from === 0)
        return undefined;
      if (!baseline || !isComparable(row.run, baseline.run)) return undefined;
      return (to - from) / from;
    };
    return {
      id: `${id} difference`,
      head: `${head}, difference from ${baseline?.run.name ?? ""}`,
      text: (row) => String(value(row) ?? ""),
      value,
    };
  };
  return [
    ...(baseline ? counters.map(difference) : []),
    words("completeness", "completeness", ({ run }) =>
      completenessWord(
        run.report.trace.completeness,
        undefined,
        run.report.trace.part,
      ),
    ),
    words("hash", "trace hash", ({ run }) => run.trace.hash),
    words("version", "about.version", ({ run }) => run.program ?? ""),
    words("configuration", "configuration", ({ run }) => {
      const { machine, os, cores = "one", window } = run.setup;
      return JSON.stringify({ machine, os, cores, window });
    }),
  ];
}

/** The counted part: `500 accesses from 1,200 on`. */
function partText({ skip, warmup, limit }: RunWindow): string {
  const counts =
    limit === undefined ? "" : `${counted(limit, "access", "accesses")} `;
  return `${counts}from ${count(skip + warmup)} on`;
}

function when(date: number): string {
  return new Date(date).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}
