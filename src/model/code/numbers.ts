/** The numbers of one program, or of two programs and their ratio. Without a translation there is nothing but accesses. */
import type { RunReport } from "../../engine/generated/RunReport";
import { totalsOf } from "../compare/totals";
import { count, counted, fixed, mean, NONE, percentOf } from "../shared/format";
import type { ProgramShown } from "./code";

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
  /** What stands after the share, or nothing. */
  readonly more?: (report: RunReport) => string;
}

const translations = ({ trace }: RunReport) => trace.translations;
const perAccess = ({ cycles, trace }: RunReport) =>
  trace.accesses > 0 ? cycles.total / trace.accesses : 0;

export const PROGRAM_QUANTITIES: readonly Quantity[] = [
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
    help: "Translations that no TLB held: the page tables were read. A page fault is a walk, too: it found no page.",
    value: ({ walks }) => walks.walks,
    text: count,
    whole: translations,
    more: ({ faults: { minor, major } }) =>
      minor + major > 0 ? counted(minor + major, "fault") : "",
  },
  {
    id: "translation-cycles",
    word: "translation cycles",
    help: "Lookups of the second-level TLB, and for each walk its overhead and the latency of each page-table entry that was read. A first-level hit costs nothing.",
    isModel: true,
    value: ({ cycles }) => cycles.total,
    text: count,
  },
  {
    id: "per-access",
    word: "cycles per access",
    help: "Translation cycles ÷ accesses",
    isModel: true,
    value: perAccess,
    text: mean,
  },
];

export interface ProgramNumber {
  readonly id: string;
  readonly text: string;
  /** The share of all translations, and what is among them; or empty. */
  readonly share: string;
}

export function programNumbers({
  report,
}: Pick<ProgramShown, "report">): readonly ProgramNumber[] {
  return PROGRAM_QUANTITIES.map((quantity) => {
    const { id, text, whole, more } = quantity;
    const value = valueOf(quantity, report);
    if (value === undefined) return { id, text: NONE, share: "" };
    const parts = [
      whole ? percentOf(value, whole(report)) : "",
      more?.(report) ?? "",
    ];
    const share = parts.filter((part) => part !== "").join(", ");
    return { id, text: text(value), share };
  });
}

/** How many times as much the second program has of each quantity: `512×`. */
export function programRatios(
  first: Pick<ProgramShown, "report">,
  second: Pick<ProgramShown, "report">,
): readonly ProgramNumber[] {
  return PROGRAM_QUANTITIES.map((quantity) => ({
    id: quantity.id,
    text: ratioText(
      valueOf(quantity, first.report),
      valueOf(quantity, second.report),
    ),
    share: "",
  }));
}

/** The value; `undefined` if exceptions ended all accesses, so that none had a translation to count. */
function valueOf(
  { id, value }: Quantity,
  report: RunReport,
): number | undefined {
  if (id !== "accesses" && translations(report) === 0) return undefined;
  return value(report);
}

/** `512×`, `1.10×`; `1/512×` for all that are less than 1. "–" if a number is unknown, or is 0 and the other is not. */
export function ratioText(
  first: number | undefined,
  second: number | undefined,
): string {
  if (first === undefined || second === undefined) return NONE;
  if (first === second) return "1×";
  if (first === 0 || second === 0) return NONE;
  const ratio = second / first;
  if (ratio < 1) return `1/${ratioText(second, first)}`;
  if (ratio >= 99.95) return `${count(Math.round(ratio))}×`;
  return `${fixed(ratio, ratio >= 9.995 ? 1 : 2)}×`;
}
