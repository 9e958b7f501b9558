/** The key figures of a run, each with its formula. */
import type { Kind } from "../../engine/generated/Kind";
import type { KindReport } from "../../engine/generated/KindReport";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TermId } from "../glossary/terms";
import type { RunReport } from "../../engine/generated/RunReport";
import { SECOND_LEVEL } from "../shared/outcome";
import { secondLevelName } from "../tlb/names";
import { listOf } from "../replay/bits";
import { cyclesInterval, overlapText } from "./overlap";
import { startsAtLevel2 } from "../replay/firstLevel";
import {
  NONE,
  count,
  counted,
  cycles,
  mean,
  percentOf,
} from "../shared/format";

export interface Total {
  readonly label: string;
  /** The value as text; "–" if nothing was counted. */
  readonly value: string;
  /** The unit after the value. */
  readonly unit?: string;
  /** Lines: the formula in words, then with its numbers. */
  readonly formula: readonly string[];
  /** Whether the figure is computed from stated latencies, not counted. */
  readonly model: boolean;
  /** The card that explains it. */
  readonly term?: TermId;
}

/** The rates of the header. They have one denominator, which `of` names: `loads and stores`, `translated loads and stores`. */
export interface Rates {
  readonly of: string;
  readonly miss: Total;
  readonly walk: Total;
}

/** The miss rate and the walk rate of loads and stores; of fetches if a trace has nothing else. */
export function ratesOf(report: RunReport, machine?: MachineView): Rates {
  const data = ["load", "store"] as const;
  const hasData = data.some((kind) => report.kinds[kind].translations > 0);
  const hasCode = report.kinds.fetch.translations > 0;
  const of: readonly Kind[] = hasData || !hasCode ? data : ["fetch"];
  const label = of === data ? "dTLB miss" : "iTLB miss";
  return {
    // Accesses that ended with an exception are in no rate, but in the mean cycles of all accesses.
    of: `${exceptionCount(report) > 0 ? "translated " : ""}${words(of)}`,
    miss: missTotal(label, report, of, machine),
    walk: walkTotal(report, of, machine),
  };
}

/** The number of accesses that an exception ended without a translation. */
export function exceptionCount({
  exceptions,
  faults,
}: Pick<RunReport, "exceptions" | "faults">): number {
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, n) => total + n, 0);
  return (
    exceptions.general_protection +
    sum(exceptions.address_faults ?? {}) +
    sum(exceptions.page_faults) +
    exceptions.ept_misconfigurations +
    faults.bus_errors
  );
}

/** Accesses that an exception ended without a translation; `undefined` if there are none. */
export function exceptionsTotal(report: RunReport): Total | undefined {
  const n = exceptionCount(report);
  if (n === 0) return undefined;
  return {
    label: n === 1 ? "exception" : "exceptions",
    term: "exception",
    value: count(n),
    formula: [
      "accesses that ended with an exception, without a translation: #PF that the operating system does not serve, or #GP",
      `${count(n)} of ${counted(report.trace.accesses, "access", "accesses")}; they are in no rate`,
    ],
    model: false,
  };
}

/** The mean translation cycles of an access, with its parts. */
export function cyclesPerAccess(
  report: RunReport,
  machine?: MachineView,
): Total {
  const { cycles: parts, trace } = report;
  const overlap = overlapText(report);
  const second = machine ? secondLevelName(machine) : SECOND_LEVEL;
  const perAccess =
    trace.accesses > 0 ? mean(parts.total / trace.accesses) : NONE;
  return {
    label: "translation cycles",
    term: "translation-cycles",
    value: cyclesInterval(report),
    unit: "per access",
    formula: [
      "(lookups of the second level × their latency + Σ over walks of overhead and the latency of each reference) ÷ accesses",
      `${second} hits ${cycles(parts.l2_hit)} + ${second} misses ${cycles(parts.l2_miss)} + walks ${cycles(parts.walk)} = ${cycles(parts.total)}`,
      `${count(parts.total)} ÷ ${counted(trace.accesses, "access", "accesses")} = ${perAccess}`,
      ...(overlap === undefined ? [] : [overlap]),
    ],
    model: true,
  };
}

const PLURALS: Readonly<Record<Kind, string>> = {
  fetch: "fetches",
  load: "loads",
  store: "stores",
  prefetch: "prefetches",
};

function words(kinds: readonly Kind[]): string {
  return listOf(kinds.map((kind) => PLURALS[kind]));
}

interface Misses {
  readonly translations: number;
  readonly misses: number;
  readonly walks: number;
  /** The kinds that look up level 2 first. */
  readonly atLevel2: readonly Kind[];
}

function missesOf(
  { kinds }: RunReport,
  of: readonly Kind[],
  machine: MachineView | undefined,
): Misses {
  // A level-2 hit is no miss if it was the first lookup.
  const atLevel2 = of.filter(
    (kind) => machine && startsAtLevel2(machine, kind),
  );
  const atLevel1 = of.filter((kind) => !atLevel2.includes(kind));
  const sum = (some: readonly Kind[], what: (kind: KindReport) => number) =>
    some.reduce((total, kind) => total + what(kinds[kind]), 0);
  return {
    translations: sum(of, (kind) => kind.translations),
    misses:
      sum(atLevel1, (kind) => kind.translations - kind.l1_hits) +
      sum(atLevel2, (kind) => kind.walks),
    walks: sum(of, (kind) => kind.walks),
    atLevel2,
  };
}

function missTotal(
  label: string,
  report: RunReport,
  of: readonly Kind[],
  machine: MachineView | undefined,
): Total {
  const { translations, misses, atLevel2 } = missesOf(report, of, machine);
  return {
    label,
    term: "dtlb",
    value: percentOf(misses, translations),
    formula: [
      `L1 misses ÷ translations, of ${words(of)}`,
      ...(atLevel2.length > 0
        ? [`no L1 array serves ${words(atLevel2)}: only walks are misses`]
        : []),
      quotient(misses, translations),
    ],
    model: false,
  };
}

function walkTotal(
  report: RunReport,
  of: readonly Kind[],
  machine: MachineView | undefined,
): Total {
  const { translations, misses, walks } = missesOf(report, of, machine);
  const all = report.walks.walks;
  const served = misses - walks;
  return {
    label: "walk",
    value: percentOf(walks, translations),
    formula: [
      `page walks ÷ translations, of ${words(of)}`,
      quotient(walks, translations),
      ...(served > 0
        ? [
            `${counted(misses, "L1 miss", "L1 misses")} → ${counted(walks, "walk")}: level 2 hit for ${count(served)} (${percentOf(served, misses)})`,
          ]
        : []),
      ...(all > walks
        ? [
            `walks of all kinds: ${quotient(all, report.trace.translations)} of translations`,
          ]
        : []),
    ],
    model: false,
  };
}

function quotient(part: number, whole: number): string {
  return `${count(part)} ÷ ${count(whole)} = ${percentOf(part, whole)}`;
}
