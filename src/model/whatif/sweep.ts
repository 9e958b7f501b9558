/**
 * A sweep as a form has it, as JSON for the core and for `pagewalk sweep`, and as its rows come back: every combination
 * of the values of one or two fields, each on the open trace with the cores and the window of the replay.
 */
import type { Cores } from "../../engine/generated/Cores";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { RunReport } from "../../engine/generated/RunReport";
import type { RunWindow } from "../../engine/generated/RunWindow";
import type { SweepLine } from "../../engine/generated/SweepLine";
import { same } from "../shared/mergePatch";
import type { Json } from "../shared/mergePatch";
import { plainWindow } from "../shared/runWindow";
import { l1Misses } from "./effect";

/** A field and its values, as they are typed. */
export interface SweepAxis {
  /** `machine.l2[0].entries`, as `pagewalk sweep` names it. */
  readonly field: string;
  /** `384, 768, 1536`, or `1..8 step 1`, or `64..4096 times 2`. */
  readonly values: string;
}

/** Rows that the app runs at most: more are for the command line. */
export const MAX_ROWS = 1000;

/** What a row runs, with what all rows of its sweep share. */
export interface SweepSetup {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
  readonly cores?: Cores;
  readonly window?: RunWindow;
}

/** What a sweep is of. */
export interface SweepBase {
  readonly cpu: string;
  readonly setup: SweepSetup;
  /** The models that ship, of which one may be the machine. */
  readonly cpus: readonly CpuModel[];
  /** The name of the trace's file, as `traceFile` has it. */
  readonly file: string;
  /** If it was generated. */
  readonly workload?:
    | {
        readonly id: string;
        readonly params: Readonly<Record<string, string>>;
      }
    | undefined;
}

/** Its JSON, indented. Throws an `Error` that says what is wrong with the values. */
export function specOf(
  axes: readonly SweepAxis[],
  { cpu, setup, cpus, file, workload }: SweepBase,
): string {
  const { machine, os, cores, window } = setup;
  const model = cpus.find(({ id }) => id === cpu);
  const isModel = model !== undefined && same(model.machine, machine);
  const isVaried = axes.some(({ field }) => field === "cpu");
  const spec = {
    traces: [
      workload ? { workload: workload.id, params: workload.params } : { file },
    ],
    base: {
      ...(isVaried ? {} : isModel ? { cpu } : { machine }),
      os,
    },
    axes: axes.map(({ field, values }) => ({ field, ...valuesOf(values) })),
    ...(cores && cores !== "one" && { cores }),
    ...(window && { window }),
  };
  return `${JSON.stringify(spec, undefined, 2)}\n`;
}

const RANGE = /^(\d+)\s*(?:\.\.|…)\s*(\d+)\s+(step|times)\s+(\d+)$/;

/** Values as the core reads them. */
export function valuesOf(
  text: string,
): { readonly values: readonly Json[] } | { readonly range: Json } {
  const range = RANGE.exec(text.trim());
  if (range) {
    const [, from, to, how = "step", by] = range;
    return {
      range: { from: Number(from), to: Number(to), [how]: Number(by) },
    };
  }
  const values = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (values.length === 0)
    throw new Error(
      "Give values with commas between them, or a range: 64..4096 times 2, or 1..8 step 1.",
    );
  return { values: values.map(value) };
}

/** A number, true, false, null, else a text. */
function value(text: string): Json {
  if (/^-?(0|[1-9]\d*)(\.\d+)?$|^(true|false|null)$/.test(text))
    return JSON.parse(text) as Json;
  return text;
}

export type Counter = "walks" | "misses" | "refs" | "walk cycles" | "cycles";

export const COUNTERS: Readonly<Record<Counter, (r: RunReport) => number>> = {
  walks: ({ walks }) => walks.walks,
  misses: l1Misses,
  refs: ({ walks }) => walks.refs,
  "walk cycles": ({ cycles }) => cycles.walk,
  cycles: ({ cycles }) => cycles.total,
};

/** A row that has ended. */
export interface SweepRow {
  readonly row: number;
  /** In the order of the axes. */
  readonly at: readonly string[];
  readonly setup: SweepSetup;
  /** The model that the machine is of, where models are swept. */
  readonly cpu: string | undefined;
  readonly report: RunReport | undefined;
  readonly error: string | undefined;
}

/** A row's setup as a replay has it: what is as if it were not said is left out. */
export function replayOf({
  machine,
  os,
  cores,
  window,
}: SweepSetup): SweepSetup {
  const part = window && plainWindow(window);
  return {
    machine,
    os,
    ...(cores && cores !== "one" && { cores }),
    ...(part && { window: part }),
  };
}

export function rowOf(line: string): SweepRow {
  // The core has written it.
  const { row, axes, machine, os, cores, window, report, error } = JSON.parse(
    line,
  ) as SweepLine;
  const text = (value: unknown) =>
    typeof value === "string" ? value : JSON.stringify(value);
  return {
    row,
    at: Object.values(axes).map(text),
    setup: { machine, os, cores, window },
    cpu: typeof axes["cpu"] === "string" ? axes["cpu"] : undefined,
    report,
    error: error?.message,
  };
}

/** Rows by the values of two axes: a table of so many counts. */
export interface SweepGrid {
  readonly down: readonly string[];
  readonly across: readonly string[];
  /** By `down`, then by `across`; `undefined` where it is not there yet, or there is none. */
  readonly cells: readonly (readonly (SweepRow | undefined)[])[];
}

/** The second axis goes across; with one axis there is one column. */
export function gridOf(rows: readonly SweepRow[]): SweepGrid {
  const values = (axis: number) => [
    ...new Set(rows.map(({ at }) => at[axis] ?? "")),
  ];
  const [down, across] = [values(0), values(1)];
  const found = new Map(rows.map((row) => [row.at.join("\n"), row]));
  const key = (one: string, other: string) =>
    other === "" ? one : `${one}\n${other}`;
  return {
    down,
    across,
    cells: down.map((one) => across.map((other) => found.get(key(one, other)))),
  };
}

/** The least and the most of some counts. */
export interface Extremes {
  readonly least: number;
  readonly most: number;
}

export function extremesOf(all: readonly number[]): Extremes {
  return { least: Math.min(...all), most: Math.max(...all) };
}

/** 0 is least, 4 most, in equal steps of the logarithm, as the map of sets and ways. */
export function heatOf(
  n: number,
  { least, most }: Extremes,
): 0 | 1 | 2 | 3 | 4 {
  if (n <= least || most <= least) return 0;
  const share =
    Math.log(n / Math.max(1, least)) / Math.log(most / Math.max(1, least));
  return ([0, 1, 2, 3, 4] as const)[Math.min(4, Math.ceil(share * 4))] ?? 4;
}
