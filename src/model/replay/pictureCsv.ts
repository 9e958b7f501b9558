/** The numbers of one access's pictures as CSV; addresses are hexadecimal. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { NestedCellView } from "../../engine/generated/NestedCellView";
import type { NestedView } from "../../engine/generated/NestedView";
import type { OverTime } from "../../engine/generated/OverTime";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { csv } from "../shared/csv";
import { entryAt, entryRange } from "../tlb/array";
import type { ArrayColumns } from "../tlb/array";
import { nestedName } from "../words/words";
import type { Words } from "../words/vocabulary";

const READ = ["state", "reference", "served by", "cycles"];

const readOf = (
  each: Pick<
    LevelView | NestedCellView,
    "state" | "order" | "served_by" | "cycles"
  >,
) => [
  each.state,
  each.order ?? undefined,
  each.served_by ?? undefined,
  each.cycles ?? undefined,
];

/** One line per level, from the root. */
export function walkCsv({ levels }: TranslationView): string {
  return csv([
    [
      "table",
      "level",
      "table address",
      "index",
      "entry address",
      "value",
    ].concat(READ),
    ...levels.map((level) => [
      level.table_name,
      level.level,
      level.table,
      level.index,
      level.entry_address,
      level.value,
      ...readOf(level),
    ]),
  ]);
}

/** One line per cell of the grid, row by row. */
export function nestedCsv({ rows }: NestedView, words: Words): string {
  return csv([
    ["number", "row", words.guestPhysical, "entry", "index", "entry address"]
      .concat("value")
      .concat(READ),
    ...rows.flatMap((row) =>
      [...row.host, ...(row.guest ? [row.guest] : [])].map((cell) => [
        cell.n,
        nestedName(row.name, words),
        row.guest_physical,
        nestedName(cell.entry, words),
        cell.index,
        cell.address,
        cell.value,
        ...readOf(cell),
      ]),
    ),
  ]);
}

/** One line per entry of the structures; `core` names the core if there are several: `thread 41`. */
export function tlbCsv(
  { structures }: MachineView,
  columns: readonly ArrayColumns[],
  which: readonly number[],
  core = "",
): string {
  const whose = core === "" ? [] : [core];
  const head = [
    ...whose.map(() => "core"),
    "structure",
    "set",
    "way",
    "first address",
    "last address",
  ];
  const lines: (string | number)[][] = [];
  for (const at of which) {
    const [structure, held] = [structures[at], columns[at]];
    if (!structure || !held) continue;
    for (let slot = 0; slot < structure.sets * structure.ways; slot++) {
      const { ways, name } = structure;
      const entry = entryAt(held, ways, Math.floor(slot / ways), slot % ways);
      if (!entry) continue;
      const { first, last } = entryRange(entry);
      const { set, way, table, filledAt, usedAt, hits } = entry;
      const what = table ? "table entry" : "translation";
      lines.push([
        ...whose,
        name,
        set,
        way,
        first,
        last,
        what,
        filledAt,
        usedAt,
        hits,
      ]);
    }
  }
  return csv([[...head, "what", "filled at", "used at", "hits"], ...lines]);
}

/** One line per point in time; empty if nothing was counted. */
export function overTimeCsv({ ends, events }: OverTime): string {
  return csv([
    [
      "until s",
      ...events.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)),
    ],
    ...ends.map((end, at) => [
      end,
      ...events.map(({ values }) => values[at] ?? undefined),
    ]),
  ]);
}
