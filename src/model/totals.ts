/** The figures that stand over a run, each with the formula that gives it. */
import type { KindReport } from "../engine/generated/KindReport";
import type { RunReport } from "../engine/generated/RunReport";
import { count, cycles, mean, NONE, percentOf } from "./format";

export interface Total {
  readonly label: string;
  /** As written, "–" where nothing was counted. */
  readonly value: string;
  /** Follows the value. */
  readonly unit?: string;
  /** Lines: the formula in words, then with its numbers. */
  readonly formula: readonly string[];
  /** Computed from stated latencies, not counted. */
  readonly model: boolean;
}

/** Loads and stores that missed level 1. */
export function dtlbMiss({ kinds }: RunReport): Total {
  const translations = kinds.load.translations + kinds.store.translations;
  const misses = missesOf(kinds.load) + missesOf(kinds.store);
  return {
    label: "dTLB miss",
    value: percentOf(misses, translations),
    formula: [
      "L1 misses ÷ translations, of loads and stores",
      quotient(misses, translations),
    ],
    model: false,
  };
}

/** Fetches that missed level 1. */
export function itlbMiss({ kinds }: RunReport): Total {
  const { translations } = kinds.fetch;
  const misses = missesOf(kinds.fetch);
  return {
    label: "iTLB miss",
    value: percentOf(misses, translations),
    formula: [
      "L1 misses ÷ translations, of fetches",
      quotient(misses, translations),
    ],
    model: false,
  };
}

/** Translations of any kind that ended in a walk. */
export function walkShare({ walks, trace }: RunReport): Total {
  return {
    label: "walks",
    value: percentOf(walks.walks, trace.translations),
    formula: [
      "page walks ÷ translations",
      quotient(walks.walks, trace.translations),
    ],
    model: false,
  };
}

/** The mean cost of an access in cycles of translation, with its two parts. */
export function cyclesPerAccess({ cycles: parts, trace }: RunReport): Total {
  const perAccess =
    trace.accesses > 0 ? mean(parts.total / trace.accesses) : NONE;
  return {
    label: "translation cycles",
    value: perAccess,
    unit: "per access",
    formula: [
      "(L2 hits × their latency + Σ over walks of overhead and the latency of each reference) ÷ accesses",
      `L2 hits ${cycles(parts.l2_hit)} + walks ${cycles(parts.walk)} = ${cycles(parts.total)}`,
      `${count(parts.total)} ÷ ${count(trace.accesses)} accesses = ${perAccess}`,
    ],
    model: true,
  };
}

function missesOf(kind: KindReport): number {
  return kind.translations - kind.l1_hits;
}

function quotient(part: number, whole: number): string {
  return `${count(part)} ÷ ${count(whole)} = ${percentOf(part, whole)}`;
}
