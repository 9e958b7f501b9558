/** The numbers of one program, or of two programs and their ratio. */
import type { RunReport } from "../../engine/generated/RunReport";
import { totalsOf } from "../compare/totals";
import { count, fixed, mean, NONE, percentOf } from "../shared/format";
import type { LoopShown } from "./loop";

interface Quantity {
  readonly id: string;
  readonly word: string;
  readonly help: string;
  /** Whether it is computed from stated latencies, not counted. */
  readonly isModel?: boolean;
  readonly value: (report: RunReport) => number;
  readonly text: (value: number) => string;
  /** What a share of it is a share of. */
  readonly whole?: (report: RunReport) => number;
}

const translations = ({ trace }: RunReport) => trace.translations;
const perAccess = ({ cycles, trace }: RunReport) =>
  trace.accesses > 0 ? cycles.total / trace.accesses : 0;

export const LOOP_QUANTITIES: readonly Quantity[] = [
  {
    id: "accesses",
    word: "accesses",
    help: "Loads and stores of the program",
    value: (report) => report.trace.accesses,
    text: count,
  },
  {
    id: "misses",
    word: "L1 misses",
    help: "Translations that the first-level TLB did not hold",
    value: (report) => totalsOf(report).l1Misses,
    text: count,
    whole: translations,
  },
  {
    id: "walks",
    word: "walks",
    help: "Translations that no TLB held: the page tables were read",
    value: ({ walks }) => walks.walks,
    text: count,
    whole: translations,
  },
  {
    id: "walk-cycles",
    word: "walk cycles",
    help: "Over all walks: the overhead and the latency of each page-table entry that was read",
    isModel: true,
    value: ({ cycles }) => cycles.walk,
    text: count,
  },
  {
    id: "per-access",
    word: "cycles per access",
    help: "Translation cycles ÷ accesses: second-level lookups and walks. A first-level hit costs nothing.",
    isModel: true,
    value: perAccess,
    text: mean,
  },
];

export interface LoopNumber {
  readonly id: string;
  readonly text: string;
  /** The share of all translations, or empty. */
  readonly share: string;
}

export function loopNumbers({
  report,
}: Pick<LoopShown, "report">): readonly LoopNumber[] {
  return LOOP_QUANTITIES.map(({ id, value, text, whole }) => ({
    id,
    text: text(value(report)),
    share: whole ? percentOf(value(report), whole(report)) : "",
  }));
}

/** How many times as much the second program has of each quantity: `512×`. */
export function loopRatios(
  first: Pick<LoopShown, "report">,
  second: Pick<LoopShown, "report">,
): readonly LoopNumber[] {
  return LOOP_QUANTITIES.map(({ id, value }) => ({
    id,
    text: ratioText(value(first.report), value(second.report)),
    share: "",
  }));
}

/** `512×`, `1.10×`, `1/512×`; "–" if a number is 0 and the other is not. */
export function ratioText(first: number, second: number): string {
  if (first === second) return "1×";
  if (first === 0 || second === 0) return NONE;
  const ratio = second / first;
  if (ratio < 0.1) return `1/${ratioText(second, first)}`;
  if (ratio >= 99.95) return `${count(Math.round(ratio))}×`;
  return `${fixed(ratio, ratio >= 9.995 ? 1 : 2)}×`;
}
