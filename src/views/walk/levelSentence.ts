import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import { cycles } from "../../model/shared/format";
import { wordsOf } from "../../model/words/words";

/** How the walk got an entry. */
function how(level: LevelView): string {
  switch (level.state) {
    case "read":
      return `read from ${level.served_by ?? "memory"} in ${cycles(level.cycles ?? 0)}, reference ${level.order ?? 0}`;
    case "skipped-by-psc":
      return "not read: a walk cache held it";
    case "skipped-by-tlb":
      return "not read: a TLB held the translation";
  }
}

/** A level of the walk in words, for screen readers. */
export function levelSentence(level: LevelView, machine: MachineView): string {
  return `${wordsOf(machine).tableEntry(level.table_name)} ${level.index} of ${level.n_entries} at ${level.entry_address}, ${how(level)}`;
}
