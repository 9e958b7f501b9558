/** The counts of two runs of one trace, each with its difference. */
import type { AttributionTable } from "../../engine/generated/AttributionTable";
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunReport } from "../../engine/generated/RunReport";
import type { Column } from "../shared/dataTable";
import { delta, NONE, percentOf } from "../shared/format";
import { count, fixed } from "../shared/format";
import { exceptionCount } from "../totals/figures";
import { structureName } from "../tlb/names";

/** A quantity on both sides; `undefined` if a side does not have it. */
export interface ComparedRow {
  readonly what: string;
  readonly left: number | undefined;
  readonly right: number | undefined;
  /** The unit after the numbers: `cycles`. */
  readonly unit?: string;
  /** Digits after the decimal point. */
  readonly decimals?: number;
  /** What is counted, in plain words. */
  readonly help?: string;
  /** Whether the quantity is computed from stated latencies, not counted. */
  readonly model?: boolean;
}

export interface Totals {
  readonly accesses: number;
  readonly l1Misses: number;
  /** Translations that missed every TLB level: walks, without those of prefetches. */
  readonly l2Misses: number;
  readonly walks: number;
  readonly refs: number;
  readonly cycles: number;
  readonly faults: number;
}

export function totalsOf({
  trace,
  kinds,
  walks,
  cycles,
  faults,
}: RunReport): Totals {
  const own = [kinds.fetch, kinds.load, kinds.store];
  const sum = (numbers: readonly number[]) =>
    numbers.reduce((total, n) => total + n, 0);
  return {
    accesses: trace.accesses,
    l1Misses: sum(own.map((kind) => kind.translations - kind.l1_hits)),
    l2Misses: sum(own.map((kind) => kind.walks)),
    walks: walks.walks,
    refs: walks.refs,
    cycles: cycles.total,
    faults: faults.minor + faults.major,
  };
}

const HELP = {
  l1Misses: "Translations of fetches, loads and stores that missed level 1.",
  l2Misses: "L1 misses that also missed level 2.",
  refs: "Page-table entries read by all walks.",
  cycles:
    "Computed from stated latencies: L2 lookups, and for each walk its overhead and its references.",
  faults: "Page faults, minor and major; the access goes on afterwards.",
  exceptions: "Accesses that an exception ended without a translation.",
};

/** The counts of whole runs. */
export function totalRows(left: RunReport, right: RunReport): ComparedRow[] {
  const [a, b] = [totalsOf(left), totalsOf(right)];
  const row = (
    what: string,
    of: keyof Totals,
    more: Partial<ComparedRow> = {},
  ) => ({
    what,
    left: a[of],
    right: b[of],
    ...more,
  });
  const isNested = left.walks.host_refs + right.walks.host_refs > 0;
  const per = (total: number, of: number) => (of > 0 ? total / of : undefined);
  return [
    row("accesses", "accesses"),
    {
      what: "translations",
      left: left.trace.translations,
      right: right.trace.translations,
      help: "An access that crosses a page boundary has two.",
    },
    row("L1 misses", "l1Misses", { help: HELP.l1Misses }),
    row("L2 TLB misses", "l2Misses", { help: HELP.l2Misses }),
    row("walks", "walks"),
    row("references", "refs", { help: HELP.refs }),
    ...(isNested
      ? [
          {
            what: "of these, to host tables",
            left: left.walks.host_refs,
            right: right.walks.host_refs,
          },
        ]
      : []),
    {
      what: "references per walk",
      left: per(a.refs, a.walks),
      right: per(b.refs, b.walks),
      decimals: 2,
    },
    row("translation cycles", "cycles", { help: HELP.cycles, model: true }),
    {
      what: "cycles per access",
      left: per(a.cycles, a.accesses),
      right: per(b.cycles, b.accesses),
      decimals: 3,
      help: HELP.cycles,
      model: true,
    },
    row("page faults served by the OS", "faults", { help: HELP.faults }),
    ...(exceptionCount(left) + exceptionCount(right) > 0
      ? [
          {
            what: "exceptions",
            left: exceptionCount(left),
            right: exceptionCount(right),
            help: HELP.exceptions,
          },
        ]
      : []),
  ];
}

/**
 * Misses of each TLB array, of pages whose size it can hold; arrays with the same name share a row. An array without a
 * lookup of such a page has no value.
 */
export function structureRows(
  machines: readonly [MachineView, MachineView],
  reports: readonly [RunReport, RunReport],
): ComparedRow[] {
  const named = [0, 1].map((side) => {
    const machine = machines[side as 0 | 1];
    return reports[side as 0 | 1].structures.map((row, at) => ({
      name: structureName(machine, at),
      misses: row.hits + row.misses > 0 ? row.misses : undefined,
    }));
  });
  const [left = [], right = []] = named;
  const names = [...new Set([...left, ...right].map(({ name }) => name))];
  const misses = (side: typeof left, wanted: string) =>
    side.find(({ name }) => name === wanted)?.misses;
  return names.map((name) => ({
    what: name,
    left: misses(left, name),
    right: misses(right, name),
    help: "Misses of pages whose size the array can hold. “–”: no such page was looked up.",
  }));
}

/** Walks by region, those with the most translation cycles first. */
export function regionRows(
  left: AttributionTable,
  right: AttributionTable,
): ComparedRow[] {
  const key = (row: { name: string; start: string }) =>
    `${row.name} ${row.start}`;
  const others = new Map(right.rows.map((row) => [key(row), row]));
  const rows = left.rows.map((row) => {
    const other = others.get(key(row));
    others.delete(key(row));
    return { row, left: row.walks, right: other?.walks };
  });
  const rest = [...others.values()].map((row) => ({
    row,
    left: undefined,
    right: row.walks,
  }));
  return [...rows, ...rest].map(({ row, left, right }) => ({
    what: row.name === "" ? row.start : row.name,
    left,
    right,
    help: `Walks of accesses from ${row.start} up to ${row.end}.`,
  }));
}

export function numberText(
  n: number | undefined,
  { decimals }: Pick<ComparedRow, "decimals">,
): string {
  if (n === undefined) return NONE;
  return decimals === undefined ? count(n) : fixed(n, decimals);
}

/** A difference: `+1,204`, `−0.5`, `0`; "–" if a side has no value. */
export function differenceText(row: ComparedRow): string {
  const { left, right, decimals } = row;
  if (left === undefined || right === undefined) return NONE;
  if (decimals === undefined) return delta(right - left);
  const text = fixed(right - left, decimals);
  return Number(text.replace("−", "-").replaceAll(",", "")) > 0
    ? `+${text}`
    : text.replace(/^−(0\.?0*)$/, "$1");
}

/** From this ratio on, a difference is shown as a factor. */
const FACTOR = 10;

/** The difference as a share of the left value: `+12 %`, `× 240`; empty if that has no meaning. */
export function shareText({ left, right }: ComparedRow): string {
  if (left === undefined || right === undefined) return "";
  if (left === 0 || left === right) return "";
  if (right >= FACTOR * left) return `× ${count(right / left)}`;
  return signedShare(left, right);
}

/** The relative difference of `to` from `from`: `+12.0 %`, `−0.31 %`, `0 %`; empty if `from` is 0. */
export function signedShare(
  from: number | undefined,
  to: number | undefined,
): string {
  if (from === undefined || to === undefined || from === 0) return "";
  if (from === to) return "0 %";
  const share = percentOf(to - from, from);
  return to > from ? share.replace(/(?=\d)/, "+") : share;
}

/** The rows of the totals for a saved table. */
export function comparedColumns(
  left: string,
  right: string,
): readonly Column<ComparedRow>[] {
  return [
    {
      id: "what",
      head: "quantity",
      text: (row) => row.what,
      value: (row) => row.what,
    },
    {
      id: "left",
      head: left,
      isNumber: true,
      text: (row) => numberText(row.left, row),
      value: (row) => row.left,
    },
    {
      id: "right",
      head: right,
      isNumber: true,
      text: (row) => numberText(row.right, row),
      value: (row) => row.right,
    },
    {
      id: "difference",
      head: "difference",
      isNumber: true,
      text: differenceText,
      value: (row) =>
        row.left === undefined || row.right === undefined
          ? undefined
          : row.right - row.left,
    },
  ];
}
