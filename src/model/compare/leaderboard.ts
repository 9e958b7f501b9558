/** The results of every CPU model on a trace, as a table. */
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
  /** How the model relates to the replay's machine; empty if it is another one. */
  readonly own: string;
  /** How memory is mapped: as in the replay, or plain pages if the model lacks its policy. */
  readonly memory: string;
  /** Missing if the simulation failed. */
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
  return isMachine ? "this machine" : "this machine, before editing";
}

/** Sorts by cycles of the model, cheapest first and failed ones last. */
export function ranked(rows: readonly ModelRow[]): readonly ModelRow[] {
  const cost = ({ totals }: ModelRow) => totals?.cycles ?? Infinity;
  return [...rows].sort(
    (a, b) => cost(a) - cost(b) || (a.cpu < b.cpu ? -1 : 1),
  );
}

/** The ranks by which narrow tables leave out columns, highest first. */
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
    "Translation only, computed from stated latencies: a model, not a measurement.",
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
    "L2 TLB misses",
    ({ l2Misses }) => l2Misses,
    "L1 misses that also missed level 2.",
  ),
  number("faults", "faults", ({ faults }) => faults),
  {
    id: "memory",
    rank: 6,
    head: "memory",
    help: "As in the replay, or plain pages if the model lacks that policy.",
    text: ({ memory }) => memory,
    value: ({ memory }) => memory,
  },
];
