/** The key figures of a run, each with its formula. */
import type { Kind } from "../../engine/generated/Kind";
import type { KindReport } from "../../engine/generated/KindReport";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TermId } from "../glossary/terms";
import type { RunReport } from "../../engine/generated/RunReport";
import { SECOND_LEVEL } from "../shared/outcome";
import { secondLevelName } from "../tlb/names";
import { listOf } from "../replay/bits";
import { startsAtLevel2 } from "../replay/firstLevel";
import { count, cycles, mean, NONE, percentOf } from "../shared/format";

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

/** Loads and stores that missed the first arrays looked up. */
export function dtlbMiss(report: RunReport, machine?: MachineView): Total {
  return missTotal("dTLB miss", report, ["load", "store"], machine);
}

/** Fetches that missed the first arrays looked up. */
export function itlbMiss(report: RunReport, machine?: MachineView): Total {
  return missTotal("iTLB miss", report, ["fetch"], machine);
}

/** Translations of any kind that ended in a walk. */
export function walkShare({ walks, trace }: RunReport): Total {
  return {
    label: "walks",
    term: "page-walk",
    value: percentOf(walks.walks, trace.translations),
    formula: [
      "page walks ÷ translations",
      quotient(walks.walks, trace.translations),
    ],
    model: false,
  };
}

/** The mean translation cycles of an access, with its parts. */
export function cyclesPerAccess(
  { cycles: parts, trace }: RunReport,
  machine?: MachineView,
): Total {
  const second = machine ? secondLevelName(machine) : SECOND_LEVEL;
  const perAccess =
    trace.accesses > 0 ? mean(parts.total / trace.accesses) : NONE;
  return {
    label: "translation cycles",
    term: "translation-cycles",
    value: perAccess,
    unit: "per access",
    formula: [
      "(lookups of the second level × their latency + Σ over walks of overhead and the latency of each reference) ÷ accesses",
      `${second} hits ${cycles(parts.l2_hit)} + ${second} misses ${cycles(parts.l2_miss)} + walks ${cycles(parts.walk)} = ${cycles(parts.total)}`,
      `${count(parts.total)} ÷ ${count(trace.accesses)} accesses = ${perAccess}`,
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

function missTotal(
  label: string,
  { kinds }: RunReport,
  of: readonly Kind[],
  machine: MachineView | undefined,
): Total {
  // A level-2 hit is no miss if it was the first lookup.
  const atLevel2 = of.filter(
    (kind) => machine && startsAtLevel2(machine, kind),
  );
  const atLevel1 = of.filter((kind) => !atLevel2.includes(kind));
  const sum = (some: readonly Kind[], what: (kind: KindReport) => number) =>
    some.reduce((total, kind) => total + what(kinds[kind]), 0);
  const translations = sum(of, (kind) => kind.translations);
  const misses =
    sum(atLevel1, (kind) => kind.translations - kind.l1_hits) +
    sum(atLevel2, (kind) => kind.walks);
  const words = (some: readonly Kind[]) =>
    listOf(some.map((kind) => PLURALS[kind]));
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

function quotient(part: number, whole: number): string {
  return `${count(part)} ÷ ${count(whole)} = ${percentOf(part, whole)}`;
}
