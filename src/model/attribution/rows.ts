/**
 * Misses by region, page, data structure, instruction, line and symbol as table rows: names, counts, and the accesses that a row selects.
 */
import type { AttributionRow } from "../../engine/generated/AttributionRow";
import type { AttributionView } from "../../engine/generated/AttributionView";
import type { Hex } from "../../engine/generated/Hex";
import { csv } from "../shared/csv";
import { readOrder } from "../shared/dataTable";
import { count, counted, cyclesShort, percentOf } from "../shared/format";

export type AttributionBy =
  "regions" | "pages" | "objects" | "instructions" | "lines" | "symbols";

/** The accesses of a row, as the engine takes them, and in words. */
export interface AttributionFilter {
  readonly by: "address" | "instruction" | "line" | "object" | "calls";
  readonly start: Hex;
  /** The first address after the range. */
  readonly end: Hex;
  /** The name of the row; of a line its file and its number, `/src/join.c:12`. */
  readonly label: string;
  /** The functions of a call path, the outermost first. */
  readonly path?: readonly string[];
}

type CountedId =
  "accesses" | "l1_misses" | "walks" | "faults" | "exceptions" | "walk_cycles";

/** The id of translation cycles is `walk_cycles` in links. */
export type ColumnId = "name" | CountedId;

interface Column {
  readonly id: ColumnId;
  readonly word: string;
  readonly help: string;
}

const COLUMNS: readonly Column[] = [
  { id: "name", word: "", help: "By address" },
  { id: "accesses", word: "accesses", help: "Fetches, loads and stores" },
  {
    id: "l1_misses",
    word: "L1 misses",
    help: "Misses of the first array looked up",
  },
  { id: "walks", word: "walks", help: "Walks after page faults included" },
  {
    id: "faults",
    word: "faults",
    help: "Page faults that the operating system served: a walk follows each",
  },
  {
    id: "exceptions",
    word: "exceptions",
    help: "Accesses that ended with an exception, without a translation",
  },
  {
    id: "walk_cycles",
    word: "translation cycles",
    help: "A model. The cycles after a miss of the first level: the lookup of the second level, the overhead of a walk and the latency of its references",
  },
];

/** The columns of a run; exceptions have one only if they ended an access. */
export function columnsOf({ total }: AttributionView): readonly Column[] {
  return COLUMNS.filter(
    ({ id }) => id !== "exceptions" || total.exceptions > 0,
  );
}

/** Reads the order from a link. Without one, the most translation cycles come first. */
export function attributionOrder(text: string | undefined): {
  readonly column: ColumnId;
  readonly rising: boolean;
} {
  const order = readOrder(text, COLUMNS);
  const column = COLUMNS.find(({ id }) => id === order?.column)?.id;
  return {
    column: column ?? "walk_cycles",
    rising: order?.direction === "ascending",
  };
}

export interface ShownRow {
  readonly key: string;
  readonly name: string;
  /** The address range of a row, and how certain its name is. */
  readonly more: string;
  /** Whether the name is an address. */
  readonly isAddress: boolean;
  /** The values of all columns except the name. */
  readonly cells: readonly string[];
  readonly filter: AttributionFilter;
}

/** The tables that have rows. */
export function tablesOf(view: AttributionView) {
  const all = [
    { value: "regions", label: "region" },
    { value: "pages", label: "page" },
    { value: "objects", label: "data structure" },
    { value: "instructions", label: "instruction" },
    { value: "lines", label: "line" },
    { value: "symbols", label: "symbol" },
  ] as const;
  const isOfSource = (by: AttributionBy) => by === "lines" || by === "symbols";
  return all.filter(
    ({ value }) => !isOfSource(value) || view[value].rows.length > 0,
  );
}

/** The rows of a table in an order; equal rows keep their order by falling translation cycles. */
export function attributionRows(
  view: AttributionView,
  by: AttributionBy,
  column: ColumnId,
  rising: boolean,
): readonly ShownRow[] {
  return sortedRows(view, by, column, rising).map((row) =>
    shownRow(view, by, row),
  );
}

function sortedRows(
  view: AttributionView,
  by: AttributionBy,
  column: ColumnId,
  rising: boolean,
): AttributionRow[] {
  const sign = rising ? 1 : -1;
  const compare = (a: AttributionRow, b: AttributionRow) =>
    column === "name"
      ? byAddress(a, b)
      : valueOf(a, column) - valueOf(b, column);
  return [...view[by].rows].sort((a, b) => sign * compare(a, b));
}

function byAddress(a: AttributionRow, b: AttributionRow): number {
  const [one, other] = [BigInt(a.start), BigInt(b.start)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function shownRow(
  view: AttributionView,
  by: AttributionBy,
  row: AttributionRow,
): ShownRow {
  const { name, region, inferred, start, end, blocks } = row;
  // For a JavaScript program, each line of its code with accesses is a region with its name.
  const isLine = by === "instructions" && /^line \d+$/.test(region);
  const isPlace = (by !== "pages" && by !== "instructions") || isLine;
  const shown = isLine ? region : isPlace ? name : start;
  const more = {
    regions: inferred ? `${start}, inferred` : start,
    pages: region,
    objects: [
      blocks === undefined ? "" : counted(blocks, "block"),
      inferred ? "inferred" : "",
    ]
      .filter((part) => part !== "")
      .join(", "),
    lines: row.text ?? region,
    instructions: isLine
      ? ""
      : [name, region].filter((part) => part !== "").join(", "),
    symbols: region === name ? "" : region,
  }[by];
  return {
    key: `${start} ${name} ${region}`,
    name: shown,
    more,
    isAddress: !isPlace,
    cells: cellsOf(view, row),
    filter: { by: FILTERS[by], start, end, label: labelOf(by, row, shown) },
  };
}

const FILTERS = {
  regions: "address",
  pages: "address",
  objects: "object",
  instructions: "instruction",
  lines: "line",
  symbols: "instruction",
} as const;

function labelOf(by: AttributionBy, row: AttributionRow, shown: string) {
  if (by === "lines") return `${row.file ?? ""}:${row.line ?? 0}`;
  if (shown !== row.start) return shown;
  return by === "pages" ? `page ${shown}` : `instruction ${shown}`;
}

type Counts = AttributionView["total"];

/** The cycles of all that happens after a miss of the first level. */
export function translationCycles(
  counts: Pick<Counts, "l2_hit_cycles" | "l2_miss_cycles" | "walk_cycles">,
): number {
  return counts.l2_hit_cycles + counts.l2_miss_cycles + counts.walk_cycles;
}

function valueOf(counts: Counts, column: CountedId): number {
  return column === "walk_cycles" ? translationCycles(counts) : counts[column];
}

function cellsOf({ total }: AttributionView, counts: Counts): string[] {
  const cycles = valueOf(counts, "walk_cycles");
  return [
    count(counts.accesses),
    count(counts.l1_misses),
    count(counts.walks),
    count(counts.faults),
    ...(total.exceptions > 0 ? [count(counts.exceptions)] : []),
    `${cyclesShort(cycles)} · ${percentOf(cycles, valueOf(total, "walk_cycles"))}`,
  ];
}

/** What has no row: the rows beyond the limit, and the accesses without a known instruction, line, symbol or structure. */
function rest(view: AttributionView, by: AttributionBy) {
  const { n_others: n, others, unknown } = view[by];
  return [
    { name: counted(n, "other"), counts: others, isThere: n > 0 },
    { name: "unknown", counts: unknown, isThere: unknown.accesses > 0 },
  ].filter(({ isThere }) => isThere);
}

/** The last rows of a table: what has no row of its own. */
export function restRows(
  view: AttributionView,
  by: AttributionBy,
): readonly { readonly name: string; readonly cells: readonly string[] }[] {
  return rest(view, by).map(({ name, counts }) => ({
    name,
    cells: cellsOf(view, counts),
  }));
}

/** All rows of a table in their current order, and what it leaves out; cycles come from the model. */
export function attributionCsv(
  view: AttributionView,
  by: AttributionBy,
  column: ColumnId,
  rising: boolean,
): string {
  const shown = columnsOf(view).filter(
    (each): each is Column & { readonly id: CountedId } => each.id !== "name",
  );
  const numbers = (counts: Counts) =>
    shown.map(({ id }) => valueOf(counts, id));
  const last = (text: string) => (by === "lines" ? [text] : []);
  return csv([
    [
      "name",
      "region",
      "start",
      "end",
      ...shown.map(({ word }) => word),
      ...last("text"),
    ],
    ...sortedRows(view, by, column, rising).map((row) => [
      row.name,
      row.region,
      row.start,
      row.end,
      ...numbers(row),
      ...last(row.text ?? ""),
    ]),
    ...rest(view, by).map(({ name, counts }) => [
      name,
      "",
      "",
      "",
      ...numbers(counts),
      ...last(""),
    ]),
  ]);
}

/** Returns whether two filters select the same accesses. */
export function sameFilter(
  one: AttributionFilter | undefined,
  other: AttributionFilter | undefined,
): boolean {
  return (
    one?.by === other?.by &&
    one?.start === other?.start &&
    one?.end === other?.end &&
    one?.label === other?.label &&
    one?.path?.join("\n") === other?.path?.join("\n")
  );
}
