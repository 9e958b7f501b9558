/** The words of the walk picture, explained. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import { counted } from "../shared/format";
import { sizeOfShift } from "../shared/pageSizes";
import { wordsOf } from "../words/words";

/** A word of the picture, and what it means. */
export interface Meaning {
  readonly word: string;
  readonly meaning: string;
}

const TABLES: Readonly<Record<string, string>> = {
  PML5: "page-map level-5 table",
  PML4: "page-map level-4 table",
  PDPT: "page-directory-pointer table",
  PD: "page directory",
  PT: "page table",
};

/** The name of a table in full: `page-map level-4 table`. */
function inFull(
  { table_name, level }: LevelView,
  machine: MachineView,
): string {
  if (machine.tables === "arm")
    return `table of lookup level ${table_name.slice(1)}`;
  return TABLES[table_name] ?? `table of level ${level}`;
}

export function tableMeaning(level: LevelView, machine: MachineView): Meaning {
  const { shift, bits, n_entries } = level;
  return {
    word: level.table_name,
    meaning: `${inFull(level, machine)}. Address bits ${shift + bits - 1}:${shift} choose one of its ${counted(n_entries, "entry", "entries")}; an entry covers ${sizeOfShift(shift)}.`,
  };
}

export function levelMeaning(level: LevelView, machine: MachineView): Meaning {
  const smallest = sizeOfShift(machine.offset_bits);
  return {
    word: wordsOf(machine).level(level.level) || `level ${level.level}`,
    meaning: `${level.level} of ${machine.levels}. Level 1 is the lowest table: its entries map pages of ${smallest}. A walk starts at level ${machine.levels}.`,
  };
}

export function rootMeaning(machine: MachineView): Meaning {
  return {
    word: wordsOf(machine).root,
    meaning:
      "the register with the physical address of the root table. Every process has its own root table.",
  };
}

export function endsMeaning({ n_entries }: LevelView): Meaning {
  return {
    word: `0 … ${n_entries - 1}`,
    meaning: `the ${counted(n_entries, "entry", "entries")} of the table. The mark shows the one that this address chooses; the rows above and below are its neighbours.`,
  };
}

export const NOT_READ: Meaning = {
  word: "not read",
  meaning:
    "the walk did not need this entry, because a cache already held what it leads to. That saves a reference.",
};

export const BAR: Meaning = {
  word: "bar",
  meaning: "this neighbouring entry is in use. An empty one is 0.",
};

/** All words of a walk, for a list. */
export function walkMeanings(
  levels: readonly LevelView[],
  machine: MachineView,
): Meaning[] {
  const [root] = levels;
  if (!root) return [];
  return [
    rootMeaning(machine),
    ...levels.map((level) => tableMeaning(level, machine)),
    levelMeaning(root, machine),
    endsMeaning(root),
    BAR,
    NOT_READ,
  ];
}
