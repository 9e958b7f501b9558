/** What to say first about a run whose accesses ended with exceptions. */
import type { RunReport } from "../../engine/generated/RunReport";
import { count, counted, memorySize } from "../shared/format";
import { exceptionCount } from "../totals/figures";
import type { ProgramShown } from "./code";

type Run = Pick<ProgramShown, "report" | "result" | "machine">;

/** The accesses whose address the machine does not translate. */
function addressCount({ exceptions }: Pick<RunReport, "exceptions">): number {
  return Object.values(exceptions.address_faults ?? {}).reduce(
    (sum, n) => sum + n,
    exceptions.general_protection,
  );
}

/** A sentence about the exceptions of a run, and why they are no surprise; `undefined` if there are none. */
export function exceptionsText({
  report,
  result,
  machine,
}: Run): string | undefined {
  const n = exceptionCount(report);
  if (n === 0) return undefined;
  const all = report.trace.accesses;
  const ended = `${n === all ? "All" : `${count(n)} of`} ${counted(all, "access", "accesses")} ended with an exception`;
  const space = 2 ** machine.va_bits;
  const isOutside = result.arrays.some(
    ({ start, length, size }) => start + length * size > space,
  );
  const atAddresses = addressCount(report);
  if (result.compiled && atAddresses === n)
    return `${ended}: ${n === 1 ? "its address has" : "their addresses have"} more than the ${machine.va_bits} bits of ${machine.name}. Programs in C have the addresses of a Linux process.`;
  if (!isOutside) return `${ended}: they have no translation and no cycles.`;
  const bytes = result.arrays.reduce(
    (sum, { length, size }) => sum + length * size,
    0,
  );
  const first = Math.min(...result.arrays.map(({ start }) => start));
  return `${ended}: the data takes ${memorySize(bytes)} from 0x${first.toString(16)} on, and the address space of ${machine.name} has ${memorySize(space)} (${machine.va_bits} bits).`;
}
