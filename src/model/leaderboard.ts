/** What every CPU model makes of a trace, as a table. */
import type { CpuModel } from "../engine/generated/CpuModel";
import type { RunReport } from "../engine/generated/RunReport";
import { totalsOf } from "./compareTotals";
import type { Totals } from "./compareTotals";
import { cpuOf } from "./cpus";
import type { Column } from "./dataTable";
import { count, fixed, NONE } from "./format";
import { mappingText } from "./mapping";
import { wordsOfConfig } from "./words";
import { pagesText } from "./policies";
import type { SideSetup } from "./sides";

export interface ModelRow {
  readonly cpu: string;
  readonly name: string;
  readonly vendor: string;
  /** How memory is mapped: that of the replay, or plain pages where the model has no such ones. */
  readonly memory: string;
  /** Missing where it could not be simulated. */
  readonly totals?: Totals;
  readonly problem?: string;
}

export function modelRow(
  cpus: readonly CpuModel[],
  { cpu, setup }: SideSetup,
  outcome: { readonly report?: RunReport; readonly error?: Error },
): ModelRow {
  const model = cpuOf(cpus, cpu);
  const memory = `${pagesText(setup.os)}, ${mappingText(setup.os, wordsOfConfig(setup.machine))}`;
  const { report, error } = outcome;
  return {
    cpu,
    name: model?.name ?? cpu,
    vendor: model?.vendor ?? "",
    memory,
    ...(report && { totals: totalsOf(report) }),
    ...(error && { problem: error.message }),
  };
}

/** The cheapest first, by cycles of the model; what failed last. */
export function ranked(rows: readonly ModelRow[]): readonly ModelRow[] {
  const cost = ({ totals }: ModelRow) => totals?.cycles ?? Infinity;
  return [...rows].sort(
    (a, b) => cost(a) - cost(b) || (a.cpu < b.cpu ? -1 : 1),
  );
}

const number = (
  id: string,
  head: string,
  of: (totals: Totals) => number,
  help?: string,
  decimals?: number,
): Column<ModelRow> => ({
  id,
  head,
  isNumber: true,
  ...(help !== undefined && { help }),
  text: ({ totals }) =>
    !totals
      ? NONE
      : decimals === undefined
        ? count(of(totals))
        : fixed(of(totals), decimals),
  value: ({ totals }) => totals && of(totals),
});

export const MODEL_COLUMNS: readonly Column<ModelRow>[] = [
  {
    id: "cpu",
    head: "CPU model",
    text: ({ name, problem }) =>
      problem === undefined ? name : `${name}: ${problem}`,
    value: ({ name }) => name,
  },
  number(
    "cycles",
    "cycles per access",
    ({ cycles, accesses }) => (accesses > 0 ? cycles / accesses : 0),
    "Of translation, computed from stated latencies: a model, not a measurement.",
    3,
  ),
  number("walks", "walks", ({ walks }) => walks),
  number(
    "refs",
    "references",
    ({ refs }) => refs,
    "Page-table entries read by all walks.",
  ),
  number(
    "l1",
    "L1 misses",
    ({ l1Misses }) => l1Misses,
    "Of fetches, loads and stores.",
  ),
  number(
    "l2",
    "L2 misses",
    ({ l2Misses }) => l2Misses,
    "Those that level 2 did not hold either.",
  ),
  number("faults", "faults", ({ faults }) => faults),
  {
    id: "memory",
    head: "memory",
    help: "That of the replay, or plain pages where the model has no such ones.",
    text: ({ memory }) => memory,
    value: ({ memory }) => memory,
  },
];
