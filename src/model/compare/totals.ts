/** The counts of two runs of one trace beside each other, each with its difference. */
import type { AttributionTable } from "../../engine/generated/AttributionTable";
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunReport } from "../../engine/generated/RunReport";
import type { Column } from "../shared/dataTable";
import { delta, NONE, percentOf } from "../shared/format";
import { count, fixed } from "../shared/format";
import { structureName } from "../tlb/names";

/** A quantity on both sides; `undefined` where a side has no such thing. */
export interface ComparedRow {
  readonly what: string;
  readonly left: number | undefined;
  readonly right: number | undefined;
  /** Follows the numbers: `cycles`. */
  readonly unit?: string;
  /** Digits after the point. */
  readonly decimals?: number;
  /** What is counted, in plain words. */
  readonly help?: string;
  /** Computed from stated latencies, not counted. */
  readonly model?: boolean;
}

export interface Totals {
  readonly accesses: number;
  readonly l1Misses: number;
  /** Translations that no level held: walks, those of prefetches not included. */
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
  l1Misses:
    "Translations of fetches, loads and stores that level 1 did not hold.",
  l2Misses: "Those of them that level 2 did not hold either.",
  refs: "Page-table entries read by all walks.",
  cycles:
    "Computed from stated latencies: L2 hits, and for each walk its overhead and its references.",
  faults: "Page faults, minor and major.",
};

/** What the whole runs counted. */
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
      help: "An access that crosses the end of a page has two.",
    },
    row("L1 misses", "l1Misses", { help: HELP.l1Misses }),
    row("L2 misses", "l2Misses", { help: HELP.l2Misses }),
    row("walks", "walks"),
    row("references", "refs", { help: HELP.refs }),
    ...(isNested
      ? [
          {
            what: "of them to host tables",
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
    row("page faults", "faults", { help: HELP.faults }),
  ];
}

/** Misses of each TLB array; those of one name stand beside each other. */
export function structureRows(
  machines: readonly [MachineView, MachineView],
  reports: readonly [RunReport, RunReport],
): ComparedRow[] {
  const named = [0, 1].map((side) => {
    const machine = machines[side as 0 | 1];
    return reports[side as 0 | 1].structures.map((row, at) => ({
      name: structureName(machine, at),
      misses: row.lookups - row.hits,
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
    help: "Lookups that missed. A level is asked in all its arrays, whatever the size of the page.",
  }));
}

/** Walks by region, the regions with most walk cycles first. */
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
    help: `Walks of accesses to ${row.start} up to ${row.end}.`,
  }));
}

export function numberText(
  n: number | undefined,
  { decimals }: Pick<ComparedRow, "decimals">,
): string {
  if (n === undefined) return NONE;
  return decimals === undefined ? count(n) : fixed(n, decimals);
}

/** `+1,204`, `−0.5`, `0`; "–" where a side has nothing to compare. */
export function differenceText(row: ComparedRow): string {
  const { left, right, decimals } = row;
  if (left === undefined || right === undefined) return NONE;
  if (decimals === undefined) return delta(right - left);
  const text = fixed(right - left, decimals);
  return Number(text.replace("−", "-").replaceAll(",", "")) > 0
    ? `+${text}`
    : text.replace(/^−(0\.?0*)$/, "$1");
}

/** Beyond so many times the left a difference is told as a factor. */
const FACTOR = 10;

/** The difference as a share of the left: `+12 %`, `× 240`; empty where that means nothing. */
export function shareText({ left, right }: ComparedRow): string {
  if (left === undefined || right === undefined) return "";
  if (left === 0 || left === right) return "";
  if (right >= FACTOR * left) return `× ${count(right / left)}`;
  return signedShare(left, right);
}

/** How far `to` is from `from`: `+12.0 %`, `−0.31 %`, `0 %`; empty where there is nothing to be a share of. */
export function signedShare(
  from: number | undefined,
  to: number | undefined,
): string {
  if (from === undefined || to === undefined || from === 0) return "";
  if (from === to) return "0 %";
  const sign = to > from ? "+" : "−";
  const share = percentOf(Math.abs(to - from), from);
  // `> 99.9 %`: the sign is the number's.
  return /^[<>]/.test(share)
    ? `${share.slice(0, 2)}${sign}${share.slice(2)}`
    : sign + share;
}

/** Of a table that is saved. */
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
