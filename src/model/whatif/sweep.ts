/**
 * A sweep as a form, as JSON for the core and `pagewalk sweep`, and as result rows: every combination of the
 * values of one or two fields, each run on the open trace with the replay's cores and window.
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

/** A field and its values, as the user types them. */
export interface SweepAxis {
  /** The path of the field in `pagewalk sweep`: `machine.l2[0].entries`. */
  readonly field: string;
  /** The values: `384, 768, 1536`, or `1..8 step 1`, or `64..4096 times 2`. */
  readonly values: string;
}

/** The most rows that the app runs: larger sweeps are for the command line. */
export const MAX_ROWS = 1000;

/** The setup of a row, with what all rows of its sweep share. */
export interface SweepSetup {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
  readonly cores?: Cores;
  readonly window?: RunWindow;
}

/** The setup that a sweep varies. */
export interface SweepBase {
  readonly cpu: string;
  readonly setup: SweepSetup;
  /** The CPU models, one of which may be the machine's. */
  readonly cpus: readonly CpuModel[];
  /** The file name of the trace, from `traceFile`. */
  readonly file: string;
  /** The workload, if the trace was generated. */
  readonly workload?:
    | {
        readonly id: string;
        readonly params: Readonly<Record<string, string>>;
      }
    | undefined;
}

/** The JSON of the sweep, indented. Throws an `Error` that says what is wrong with the values. */
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

/** The values as the core reads them. */
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
      "Write values with commas between them, or a range: 64..4096 times 2, or 1..8 step 1.",
    );
  return { values: values.map(value) };
}

/** A number, true, false or null; anything else is a text. */
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

/** A row whose run has ended. */
export interface SweepRow {
  readonly row: number;
  /** The values in the order of the axes. */
  readonly at: readonly string[];
  readonly setup: SweepSetup;
  /** The model of the row's machine, if models are swept. */
  readonly cpu: string | undefined;
  readonly report: RunReport | undefined;
  readonly error: string | undefined;
}

/** The setup of a row as a replay has it, without fields that equal their defaults. */
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
  // The core has written it, so the cast is safe.
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

/** Rows by the values of two axes, as a table of counts. */
export interface SweepGrid {
  readonly down: readonly string[];
  readonly across: readonly string[];
  /** By `down`, then by `across`; `undefined` if the count is not known or does not exist. */
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

/** The least and the largest of some counts. */
export interface Extremes {
  readonly least: number;
  readonly most: number;
}

export function extremesOf(all: readonly number[]): Extremes {
  return { least: Math.min(...all), most: Math.max(...all) };
}

/**
 * The shade from 0, the least, to 4, the most, in equal steps of the logarithm, as in the map of sets and
 * ways.
 */
export function heatOf(
  n: number,
  { least, most }: Extremes,
): 0 | 1 | 2 | 3 | 4 {
  if (n <= least || most <= least) return 0;
  const share =
    Math.log(n / Math.max(1, least)) / Math.log(most / Math.max(1, least));
  return ([0, 1, 2, 3, 4] as const)[Math.min(4, Math.ceil(share * 4))] ?? 4;
}
