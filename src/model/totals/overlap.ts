/** Cycles as an interval: from the bound with overlap to one translation after the other. */
import type { RunReport } from "../../engine/generated/RunReport";
import { NONE, count, mean } from "../shared/format";

/** The mean cycles of an access: `0.52–1.03`, or one number without a bound. */
export function cyclesInterval(report: RunReport): string {
  const { accesses } = report.trace;
  if (accesses === 0) return NONE;
  const [least, most] = [report.cycles.overlapped, report.cycles.total].map(
    (cycles) => cycles !== undefined && mean(cycles / accesses),
  );
  return least && least !== most ? `${least}–${most}` : String(most);
}

/** What the bound says, as a line of a formula. */
export function overlapText(report: RunReport): string | undefined {
  const least = report.cycles.overlapped;
  return least === undefined
    ? undefined
    : `at least ${count(least)}, if translations overlap`;
}
