/** The effect of a change: before, after, and a sentence on what it means. */
import type { RunReport } from "../../engine/generated/RunReport";
import { count, counted, fixed, NONE, percent } from "../shared/format";

export interface EffectRow {
  readonly label: string;
  readonly before: number;
  readonly after: number | undefined;
  /** Whether the quantity is computed from stated latencies, not counted. */
  readonly model: boolean;
}

export function l1Misses({ kinds: { fetch, load, store } }: RunReport): number {
  return [fetch, load, store].reduce(
    (sum, { translations, l1_hits: hits }) => sum + translations - hits,
    0,
  );
}

export function effectRows(
  before: RunReport,
  after: RunReport | undefined,
): readonly EffectRow[] {
  const row = (
    label: string,
    of: (report: RunReport) => number,
    model = false,
  ) => ({ label, before: of(before), after: after && of(after), model });
  return [
    row("L1 misses", l1Misses),
    row("walks", ({ walks }) => walks.walks),
    row("references", ({ walks }) => walks.refs),
    row("walk cycles", ({ cycles }) => cycles.walk, true),
    row("all cycles", ({ cycles }) => cycles.total, true),
    ...(before.cycles.overlapped === undefined
      ? []
      : [row("with overlap", (report) => report.cycles.overlapped ?? 0, true)]),
  ];
}

const MILLION = 1e6;
/** From this number on, the effect shows millions. */
const LONG = 10 * MILLION;

/** A count of at most nine characters up to ten billion: `4,193,792`, `110.9 M`. */
export function shortCount(n: number): string {
  return n < LONG ? count(n) : `${fixed(n / MILLION, 1)} M`;
}

/** The relative change: `−20 %`, `+3.1 %`, `< +0.01 %`, `no change`. */
export function changeText(before: number, after: number | undefined): string {
  if (after === undefined) return NONE;
  if (after === before) return "no change";
  if (before === 0) return "new";
  const share = (after - before) / before;
  const text = percent(share);
  if (share < 0) return text;
  return text.replace(/^([<>] )?/, "$1+");
}

export interface VerdictFacts {
  readonly before: RunReport;
  readonly after: RunReport | undefined;
  /**
   * The number of pages that the accesses use, in the machine's page size; missing if memory has pages of
   * several sizes.
   */
  readonly cold: number | undefined;
}

/** Fewer walks beyond the compulsory ones than this share are not mentioned. */
const FEW = 0.02;

/** What the effect means, and what may help. */
export function verdict({ before, after, cold }: VerdictFacts): string {
  const now = after ?? before;
  const walks = now.walks.walks;
  if (walks === 0) return "There are no walks left to save.";
  if (cold === undefined)
    return `${counted(walks, "walk")} ${walks === 1 ? "is" : "are"} left.`;
  const beyond = walks - cold;
  if (beyond <= FEW * walks)
    return `${compulsory(walks, beyond)}: a larger TLB cannot help. Larger pages can.`;
  const saved = before.walks.walks - walks;
  const room = `${count(beyond)} of ${counted(walks, "walk")} are for pages seen before: a larger TLB or larger pages could avoid them.`;
  if (after && saved === 0 && now.cycles.total === before.cycles.total)
    return `This changes nothing on this trace. ${room}`;
  return room;
}

/** A sentence such as `All but one of the remaining walks are compulsory`. */
function compulsory(walks: number, beyond: number): string {
  if (beyond <= 0) return "All of the remaining walks are compulsory";
  const others = beyond === 1 ? "one" : count(beyond);
  return walks === beyond
    ? "None of the remaining walks is compulsory"
    : `All but ${others} of the remaining walks are compulsory`;
}
