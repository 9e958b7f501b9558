/**
 * The grid of a nested walk: a row for each guest-physical address that is translated
 * (the guest's tables from the root, then the data), a column for each host table, and last the
 * guest's own entry.
 *
 * ```text
 *         nL4  nL3  nL2  nL1   guest
 *  gL4     1    2    3    4      5      numbers are those of a walk without caches;
 *  …                                    a gap in them is a saving
 *  data   21   22   23   24
 * ```
 */
import type { MachineView } from "../../../engine/generated/MachineView";
import type { NestedCellView } from "../../../engine/generated/NestedCellView";
import type { NestedRowView } from "../../../engine/generated/NestedRowView";
import type { NestedView } from "../../../engine/generated/NestedView";
import type { TranslationView } from "../../../engine/generated/TranslationView";
import { readSummary } from "../tables";
import { skipOf } from "./skip";
import type { Skip } from "./skip";
import type { Cycles } from "../../shared/units";
import { nestedName, wordsOf } from "../../words/words";
import type { Words } from "../../words/vocabulary";

export interface GridCell {
  /** The index in `Grid.rows`. */
  readonly row: number;
  /** From the host's root; the guest's entry follows the last host column. */
  readonly column: number;
  readonly skip: Skip | null;
  /** The name in the machine's words: `nL1`, `S2L3`. */
  readonly name: string;
  /** The row in the machine's words: `gL4`, `S1L0`, `data`. */
  readonly of: string;
  readonly view: NestedCellView;
}

export interface GridRow {
  /** The name in the machine's words: `gL4` … `gL1`, or `S1L0` …; `data`. */
  readonly name: string;
  /** What the row reads: `table, entry 254`. */
  readonly about: string;
  /** `null` if a huge guest page ends the walk above this table. */
  readonly view: NestedRowView | null;
  /** By column; `null` below the leaf entry of a huge host page. */
  readonly host: readonly (GridCell | null)[];
  readonly guest: GridCell | null;
  /** The number of host pages that the host mapped when this row was translated. */
  readonly violations: number;
}

export interface Grid {
  readonly rows: readonly GridRow[];
  /** Levels of the host's tables from the root: 4, 3, 2, 1. */
  readonly hostLevels: readonly number[];
  /** The cells in the order of the walk. */
  readonly cells: readonly GridCell[];
  readonly words: Words;
}

export function nestedGrid(
  nested: NestedView,
  translation: TranslationView,
  machine: MachineView,
): Grid {
  const { host_levels, guest_levels } = nested;
  const words = wordsOf(machine);
  const hostLevels = Array.from(
    { length: host_levels },
    (_, at) => host_levels - at,
  );
  // Tables below a huge guest page keep their rows, so that the data's row does not move.
  const names = [
    ...Array.from(
      { length: guest_levels },
      (_, at) => `gL${guest_levels - at}`,
    ),
    "data",
  ];
  const leaf = nestedName(
    nested.rows.findLast(({ guest }) => guest)?.name ?? "",
    words,
  );
  const rows = names.map((name, row): GridRow => {
    const view = nested.rows.find((each) => each.name === name) ?? null;
    const cell = (
      each: NestedCellView | null | undefined,
      column: number,
    ): GridCell | null =>
      view && each
        ? {
            row,
            column,
            skip: skipOf(each, view, translation, machine),
            name: nestedName(each.entry, words),
            of: nestedName(each.for, words),
            view: each,
          }
        : null;
    return {
      name: nestedName(name, words),
      about: !view
        ? `no table: the ${leaf} entry maps ${nested.guest_page}`
        : view.guest
          ? `table, entry ${view.guest.index}`
          : "the page",
      view,
      host: hostLevels.map((level, column) =>
        cell(
          view?.host.find((each) => each.level === level),
          column,
        ),
      ),
      guest: cell(view?.guest, hostLevels.length),
      violations: nested.violations.filter((each) => each.for === name).length,
    };
  });
  return { rows, hostLevels, cells: rows.flatMap(cellsOf), words };
}

/** The cells of a row in the order of the walk. */
export function cellsOf({ host, guest }: GridRow): GridCell[] {
  return [...host, guest].filter((cell) => cell !== null);
}

/** The cells of one column; the guest's entries follow the host's. */
export function columnOf({ cells }: Grid, column: number): GridCell[] {
  return cells.filter((cell) => cell.column === column);
}

export function isRead({ view }: GridCell): boolean {
  return view.state === "read";
}

export interface Sum {
  readonly read: number;
  /** The number of references of a walk without any skips. */
  readonly of: number;
  readonly cycles: Cycles;
}

/** The sums of a row, a column or the whole walk. */
export function sumOf(cells: readonly GridCell[]): Sum {
  const read = cells.filter(isRead);
  return {
    read: read.length,
    of: cells.length,
    cycles: read.reduce((sum, { view }) => sum + (view.cycles ?? 0), 0),
  };
}

/** The cell shown until the user chooses one: the last that was read, otherwise the last of the walk. */
export function lastRead({ cells }: Grid): GridCell | undefined {
  return cells.findLast(isRead) ?? cells.at(-1);
}

/** Other cells that read the same entry in memory: one walk may need it for several addresses. */
export function sameEntry({ cells }: Grid, cell: GridCell): GridCell[] {
  return cells.filter(
    ({ view }) => view !== cell.view && view.address === cell.view.address,
  );
}

/**
 * The head line: `9 of 24 references read, 15 skipped`; `9 of 24 read` if space is short. It counts the cells
 * that the walk has reached.
 */
export function gridSummary(
  { cells }: Grid,
  tight = false,
  reached: readonly GridCell[] = cells,
): string {
  return readSummary(sumOf(reached).read, reached.length, cells.length, tight);
}
