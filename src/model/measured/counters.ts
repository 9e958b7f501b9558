/** Counters of a real machine: what each counts, how reliable it is, and the simulated count. */
import type { CounterView } from "../../engine/generated/CounterView";
import type { FamilyFrom } from "../../engine/generated/FamilyFrom";
import type { Measured } from "../../engine/generated/Measured";
import type { ShareView } from "../../engine/generated/ShareView";
import type { StatForm } from "../../engine/generated/StatForm";
import { count, counted, fixed, NONE, percent } from "../shared/format";

/** The mark of a number that perf scaled up. */
const ESTIMATE = "~";

/** One event as a row of the table. */
export interface CounterRow {
  readonly name: string;
  /** What the event counts, with details that the name omits; missing if it is unknown. */
  readonly counts: string | undefined;
  readonly value: string;
  /** Whether the row has no value but a reason. */
  readonly isMissing: boolean;
  readonly isEstimate: boolean;
  /** The variation: `± 0.16 %`. */
  readonly variance: string | undefined;
  /** How much of the time a counter counted the event. */
  readonly running: string | undefined;
  readonly comparison: ComparedCells | undefined;
}

/** The value of the same event in the simulated run. */
export interface ComparedCells {
  /** What both are divided by; `whole run` if there is no such quantity. */
  readonly per: string;
  /** Missing if the counts themselves are compared. */
  readonly measured: string | undefined;
  readonly simulated: string;
  /** The ratio `×1.31`, if both can be compared. */
  readonly ratio: string | undefined;
}

export interface ShareRow {
  readonly what: string;
  readonly of: string;
  /** A bound: `≤ ~9.2 %`. */
  readonly measured: string;
  readonly simulated: string | undefined;
  readonly isUpperBound: boolean;
  readonly isEstimate: boolean;
  readonly events: string;
  readonly note: string | undefined;
}

export function counterRow(
  counter: CounterView,
  isFamilyKnown: boolean,
): CounterRow {
  const { name, cgroup, state, value, is_estimate: isEstimate } = counter;
  const hasValue = state === "counted" && value !== null;
  const share = (of: number | null) =>
    hasValue && of !== null ? `${fixed(of, 2)} %` : undefined;
  const variance = share(counter.variance);
  return {
    name: cgroup === null ? name.full : `${name.full} ${cgroup}`,
    counts: countsText(counter, isFamilyKnown),
    value: hasValue
      ? `${isEstimate ? ESTIMATE : ""}${amount(value, counter.unit)}`
      : WITHOUT_VALUE[state],
    isMissing: !hasValue,
    isEstimate,
    variance: variance === undefined ? undefined : `± ${variance}`,
    running: share(counter.running),
    comparison: comparedCells(counter),
  };
}

const WITHOUT_VALUE = {
  counted: NONE,
  "not-counted": "not counted",
  "not-supported": "not supported",
} as const;

function countsText(
  { meaning, note }: CounterView,
  isFamilyKnown: boolean,
): string | undefined {
  if (meaning === null) return undefined;
  // Vendors count different things under this name.
  if (!isFamilyKnown && meaning.includes(": "))
    return `depends on the processor: ${meaning}`;
  return note === null ? meaning : `${meaning} (${note})`;
}

function comparedCells(counter: CounterView): ComparedCells | undefined {
  const { beside: comparison, is_estimate: isEstimate } = counter;
  if (!comparison || counter.value === null) return undefined;
  const { base, measured_per, simulated_per, simulated, ratio } = comparison;
  const mark = isEstimate ? ESTIMATE : "";
  const isRate =
    base !== null && measured_per !== null && simulated_per !== null;
  return {
    per: isRate ? base : "whole run",
    measured: isRate ? mark + short(measured_per) : undefined,
    simulated: isRate ? short(simulated_per) : count(simulated),
    ratio: ratio === null ? undefined : `${mark}×${short(ratio)}`,
  };
}

export function shareRow(share: ShareView): ShareRow {
  const { what, of, unit, measured, simulated, events, note } = share;
  const { is_upper_bound: isUpperBound, is_estimate: isEstimate } = share;
  const number = (n: number) =>
    unit === "share" ? percent(n) : `${short(n)} cycles`;
  const mark = (isUpperBound ? "≤ " : "") + (isEstimate ? ESTIMATE : "");
  return {
    what,
    of,
    measured: mark + number(measured),
    simulated: simulated === null ? undefined : number(simulated),
    isUpperBound,
    isEstimate,
    events: events.join(", "),
    note: note ?? undefined,
  };
}

/** Which columns the tables of these counters need. */
export function columnsOf(rows: readonly CounterRow[]) {
  return {
    variance: rows.some(({ variance }) => variance !== undefined),
    running: rows.some(({ running }) => running !== undefined),
    comparison: rows.some(({ comparison }) => comparison !== undefined),
  };
}

const FORMS: Readonly<Record<StatForm, string>> = {
  text: "perf stat",
  csv: "perf stat -x",
  json: "perf stat -j",
};

/** What was measured and how, in parts: `perf stat -x`, `'ls -l'`, `mean of 4 runs`. */
export function measuredParts({
  form,
  of,
  runs,
  intervals,
  elapsed_s: seconds,
}: Measured): readonly string[] {
  return [
    FORMS[form],
    ...(of === null ? [] : [of]),
    ...(runs === null ? [] : [`mean of ${counted(runs, "run")}`]),
    ...(intervals === 0 ? [] : [`sum of ${counted(intervals, "interval")}`]),
    ...(seconds === null ? [] : [`${short(seconds)} s`]),
  ];
}

const FROM: Readonly<Record<FamilyFrom, string>> = {
  asked: "Your choice.",
  events: "The event names show it.",
  machine: "The same as the simulated machine.",
};

/** Why the events are read as those of a family. */
export function familyReason({ family }: Measured): string {
  if (family) return FROM[family.from];
  return "The event names do not show the processor: choose it.";
}

/** Whole numbers for counts, two decimals for values with a unit. */
function amount(value: number, unit: string): string {
  if (unit !== "") return `${fixed(value, 2)} ${unit}`;
  return Number.isInteger(value) ? count(value) : fixed(value, 2);
}

/** Three significant digits, or all before the decimal point: `0.0420`, `12.3`, `12,346`. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return fixed(value, 0);
  if (size >= 10) return fixed(value, 1);
  if (size >= 1) return fixed(value, 2);
  if (size >= 0.1 || size === 0) return fixed(value, 3);
  if (size >= 0.01) return fixed(value, 4);
  return Number.isFinite(value) ? value.toExponential(1) : NONE;
}
