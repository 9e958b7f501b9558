/** One reference of a nested walk in words: what it reads, where, and what it finds. */
import type { NestedView } from "../../../engine/generated/NestedView";
import type { TranslationView } from "../../../engine/generated/TranslationView";
import { count, counted, cycles } from "../../shared/format";
import { entryAddress, entryPlace, tableOfEntry } from "../entry";
import { cellFlags } from "./entry";
import { sameEntry } from "./grid";
import type { Grid, GridCell } from "./grid";
import { nestedName } from "../../words/words";
import type { Words } from "../../words/vocabulary";

/** A line of the explanation: `at`, `0x4c0f2e000 + 139 × 8 = 0x4c0f2e458`. */
export interface ExplainLine {
  readonly term: string;
  readonly text: string;
  /** Whether the value is set in digits of equal width. */
  readonly mono: boolean;
  readonly strong?: boolean;
}

/** The guest-physical byte that a row translates; for a table, the entry that the walk reads there. */
export function rowAddress(
  cell: Pick<GridCell, "row">,
  { rows }: Grid,
): string {
  const view = rows[cell.row]?.view;
  if (!view) return "";
  return view.guest
    ? entryAddress(view.guest_physical, view.guest.index)
    : view.guest_physical;
}

function tableWord(name: string): string {
  return name === "data" ? "the data page" : `the ${name} table`;
}

/** What a cell reads: `nL1 for the data page`, `gL4: the guest's own entry 254`. */
function whatIsRead({ view, name, of }: GridCell): string {
  return view.dimension === "host"
    ? `${name} for ${tableWord(of)}`
    : `${name}, the guest's own entry ${view.index}`;
}

/** What the entry leads to: the next table, or the address that the row translates. */
function gives(cell: GridCell, grid: Grid): string {
  const { view, row } = cell;
  const here = grid.rows[row];
  if (view.dimension === "host") {
    const next = here?.host[cell.column + 1];
    if (!view.leaf && next) return `${tableOf(next)}, the ${next.name} table`;
    return `${here?.view?.host_physical ?? ""} in the host`;
  }
  const below = grid.rows.slice(row + 1).find((each) => each.view);
  if (!below?.view) return "";
  return `${grid.words.guestPhysical} ${below.view.guest_physical}, ${
    below.view.guest ? `the ${below.name} table` : "the data"
  }`;
}

const tableOf = ({ view }: GridCell) => tableOfEntry(view.address, view.index);

/** All facts about a cell; for a skipped cell, what it would have read. */
export function explainCell(
  cell: GridCell,
  grid: Grid,
  nested: NestedView,
  translation: TranslationView,
): ExplainLine[] {
  const { view, skip } = cell;
  const { words } = grid;
  const source =
    view.dimension === "host"
      ? `${words.guestPhysicalShort} ${rowAddress(cell, grid)}`
      : `VA ${translation.address}`;
  const line = (term: string, text: string, mono = true): ExplainLine => ({
    term,
    text,
    mono,
  });
  const same = sameEntry(grid, cell);
  return [
    line(skip ? "would read" : "reads", whatIsRead(cell), false),
    ...(skip ? [line("skipped by", skipText(cell, words), false)] : []),
    line(
      "because",
      `${source} >> ${view.shift} & ${2 ** view.bits - 1} = ${view.index}`,
    ),
    line("at", entryPlace(tableOf(cell), view.index, view.address)),
    line("value", `${view.value}  ${cellFlags(view, nested.host_format)}`),
    { ...line("gives", gives(cell, grid)), strong: true },
    ...(same.length > 0
      ? [
          line(
            "the same as",
            same.map((other) => String(other.view.n)).join(", "),
            false,
          ),
        ]
      : []),
  ];
}

/** The hit and its key: `nested TLB, gPA >> 12 = 0x1a3c`. */
export function skipText({ skip }: GridCell, words: Words): string {
  if (!skip) return "";
  const { kind, who, lookup } = skip;
  if (!lookup) return who;
  const address =
    kind === "tlb" || kind === "combined"
      ? "VA"
      : kind === "pwc"
        ? `entry at ${words.hostPhysical}`
        : words.guestPhysicalShort;
  return `${who}, ${address} >> ${lookup.key_shift} = ${lookup.key}`;
}

/** A cell in words, for screen readers. */
export function cellSentence(cell: GridCell): string {
  const { view, skip } = cell;
  const what = `Reference ${view.n}: ${whatIsRead(cell)}`;
  if (skip) return `${what}, skipped: ${skip.who} hit`;
  return `${what} at ${view.address}, read from ${view.served_by ?? "memory"} in ${cycles(view.cycles ?? 0)}, number ${count(view.order ?? 0)} of this walk`;
}

/** The number of violations: `2 EPT violations`. */
export function violationText(
  { violations }: NestedView,
  words: Words,
): string | null {
  return violations.length === 0
    ? null
    : counted(violations.length, ...words.violation);
}

/** What the host did before the walk, one line per violation. */
export function violationLines(
  { violations }: NestedView,
  words: Words,
): string[] {
  return violations.map(
    ({ guest_physical, for: row, qualification }) =>
      `${words.violation[0]} at ${words.guestPhysical} ${guest_physical}, for ${tableWord(nestedName(row, words))}: the host ${lacksRight(qualification) ? "restored the missing permission" : "mapped the page"}${words.qualification(qualification)}`,
  );
}

/** Bits 5:3 are the permissions of the entries, 0 if one was not present (Intel SDM vol. 3C, table 27-7). */
function lacksRight(qualification: string): boolean {
  return ((BigInt(qualification) >> 3n) & 7n) !== 0n;
}
