/** What every CPU model makes of a trace, as a table. */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { RunReport } from "../../engine/generated/RunReport";
import { totalsOf } from "./totals";
import type { Totals } from "./totals";
import { cpuOf } from "../config/cpus";
import type { Column } from "../shared/dataTable";
import { count, fixed, NONE } from "../shared/format";
import { mappingText } from "../config/mapping";
import { same } from "../shared/mergePatch";
import { wordsOfConfig } from "../words/words";
import { pagesText } from "../config/pagePolicies";
import type { SideSetup } from "./sides";

export interface ModelRow {
  readonly cpu: string;
  readonly name: string;
  readonly vendor: string;
  /** What the model is of the replay's machine: empty where it is another. */
  readonly own: string;
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
  replay: SideSetup,
): ModelRow {
  const model = cpuOf(cpus, cpu);
  const memory = `${pagesText(setup.os)}, ${mappingText(setup.os, wordsOfConfig(setup.machine))}`;
  const { report, error } = outcome;
  return {
    cpu,
    name: model?.name ?? cpu,
    vendor: model?.vendor ?? "",
    own: ownText(cpu === replay.cpu, same(setup.machine, replay.setup.machine)),
    memory,
    ...(report && { totals: totalsOf(report) }),
    ...(error && { problem: error.message }),
  };
}

function ownText(isModel: boolean, isMachine: boolean): string {
  if (!isModel) return "";
  return isMachine ? "the replay’s" : "the replay’s, before it was edited";
}

/** The cheapest first, by cycles of the model; what failed last. */
export function ranked(rows: readonly ModelRow[]): readonly ModelRow[] {
  const cost = ({ totals }: ModelRow) => totals?.cycles ?? Infinity;
  return [...rows].sort(
    (a, b) => cost(a) - cost(b) || (a.cpu < b.cpu ? -1 : 1),
  );
}

/** Which columns are left out first where the table is narrow: the higher ones. */
const RANKS: Readonly<Record<string, number>> = {
  walks: 1,
  l2: 2,
  l1: 3,
  refs: 4,
  faults: 5,
};

const number = (
  id: string,
  head: string,
  of: (totals: Totals) => number,
  help?: string,
  decimals?: number,
): Column<ModelRow> => ({
  id,
  ...(id in RANKS && { rank: RANKS[id] ?? 0 }),
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
    more: ({ own }) => own,
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
    rank: 6,
    head: "memory",
    help: "That of the replay, or plain pages where the model has no such ones.",
    text: ({ memory }) => memory,
    value: ({ memory }) => memory,
  },
];
