/** The interval of the cycles, if the numbers that a CPU model assumes are others: the question, and its answer in words. */
import type { Cores } from "../../engine/generated/Cores";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { ParameterReport } from "../../engine/generated/ParameterReport";
import type { Question } from "../../engine/generated/Question";
import type { RunWindow } from "../../engine/generated/RunWindow";
import type { UncertaintyReport } from "../../engine/generated/UncertaintyReport";
import type { VariedRun } from "../../engine/generated/VariedRun";
import { count, cycles } from "../shared/format";
import { same } from "../shared/mergePatch";
import { changeText, shortCount } from "../whatif/effect";

export type UncertaintyQuestion = Question & { readonly what: "uncertainty" };

/** A configuration whose run is varied. */
interface VariedSetup {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
  readonly cores?: Cores;
  readonly window?: RunWindow;
}

/** The question; `undefined` if the machine comes from no CPU model, because then no number has a mark. */
export function uncertaintyQuestion(
  cpu: string,
  { machine, os, cores, window }: VariedSetup,
  model: CpuModel | undefined,
): UncertaintyQuestion | undefined {
  if (!model) return undefined;
  return {
    what: "uncertainty",
    cpu,
    // What the user changed is not assumed.
    ...(!same(model.machine, machine) && { machine }),
    os,
    ...(cores !== undefined && { cores }),
    ...(window !== undefined && { window }),
  };
}

/** A part of an axis, 0 to 1. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** A parameter with an effect. */
export interface ParameterRow {
  readonly path: string;
  readonly value: string;
  readonly reason: string;
  /** The runs with the fewest and the most cycles: `18: +12 %`. */
  readonly ends: readonly string[];
  readonly extent: Extent;
}

export interface IntervalView {
  readonly sentence: string;
  /** The parameter with the largest effect; missing if none has any. */
  readonly driver: string | undefined;
  readonly overlap: string;
  readonly extent: Extent;
  /** The model's run on the axis. */
  readonly own: number;
  readonly rows: readonly ParameterRow[];
  readonly without: readonly string[];
  /** The reasons why numbers were left out, each with their names. */
  readonly leftOut: readonly string[];
}

export function intervalView(report: UncertaintyReport): IntervalView {
  const { model, low, high, parameters, left_out } = report;
  const width = Math.max(1, high.cycles - low.cycles);
  const at = (n: number) => (n - low.cycles) / width;
  const change = (n: number) => changeText(model.cycles, n);
  const has = ({ effect, overlapped_effect }: ParameterReport) =>
    effect > 0 || overlapped_effect > 0;
  const end = (run: VariedRun) => `${run.value}: ${change(run.cycles)}`;
  const rows = parameters.filter(has).map(({ path, value, reason, runs }) => {
    const all = [model.cycles, ...runs.map((run) => run.cycles)].map(at);
    return {
      path,
      value: String(value),
      reason,
      ends: (runs.length > 2 ? [runs[0], runs.at(-1)] : runs).flatMap((run) =>
        run ? [end(run)] : [],
      ),
      extent: { from: Math.min(...all), to: Math.max(...all) },
    };
  });
  const reasons = new Map<string, string[]>();
  for (const { path, value, why } of left_out) {
    const name = value === undefined ? path : `${path} = ${value}`;
    reasons.set(why, [...(reasons.get(why) ?? []), name]);
  }
  return {
    sentence: `${count(low.cycles)} to ${cycles(high.cycles)}, one after the other: ${change(low.cycles)} to ${change(high.cycles)} of the model’s ${count(model.cycles)}.`,
    driver: rows[0]?.path,
    overlap: `With overlap, at least ${count(Math.min(low.overlapped, model.overlapped))} to ${count(Math.max(high.overlapped, model.overlapped))}.`,
    extent: { from: 0, to: high.cycles > low.cycles ? 1 : 0 },
    own: at(model.cycles),
    rows,
    without: parameters.filter((it) => !has(it)).map(({ path }) => path),
    leftOut: [...reasons].map(([why, names]) => `${why}: ${names.join(", ")}`),
  };
}

/** The interval of one machine, short enough to stand beside its point. */
export interface PointInterval {
  /** `before`, or `after` the changes. */
  readonly label: string;
  /** `800 to 1,800`. */
  readonly range: string;
  /** `−20.0 % to +80.0 %` of the point. */
  readonly change: string;
  /** `memory.dram drives it: 150: −20.0 %, 400: +80.0 %`; missing if no number has an effect. */
  readonly driver: string | undefined;
  readonly extent: Extent;
  readonly own: number;
}

/** Intervals on one axis, in order. */
export function pointIntervals(
  reports: readonly (readonly [label: string, report: UncertaintyReport])[],
): readonly PointInterval[] {
  const least = Math.min(...reports.map(([, { low }]) => low.cycles));
  const most = Math.max(...reports.map(([, { high }]) => high.cycles));
  const at = (n: number) => (n - least) / Math.max(1, most - least);
  return reports.map(([label, report]) => {
    const { model, low, high } = report;
    const [first] = intervalView(report).rows;
    const isPoint = low.cycles === high.cycles;
    return {
      label,
      range: isPoint
        ? shortCount(low.cycles)
        : `${shortCount(low.cycles)} to ${shortCount(high.cycles)}`,
      change: isPoint
        ? "no assumed number changes it"
        : `${changeText(model.cycles, low.cycles)} to ${changeText(model.cycles, high.cycles)}`,
      driver: first && `${first.path} drives it (${first.ends.join(", ")})`,
      extent: { from: at(low.cycles), to: at(high.cycles) },
      own: at(model.cycles),
    };
  });
}
