import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import { cycles } from "../../model/shared/format";
import { wordsOf } from "../../model/words/words";

/** How an entry was come by. */
function how(level: LevelView): string {
  switch (level.state) {
    case "read":
      return `read from ${level.served_by ?? "memory"} in ${cycles(level.cycles ?? 0)}, reference ${level.order ?? 0}`;
    case "skipped-by-psc":
      return "not read: a walk cache knew what it holds";
    case "skipped-by-tlb":
      return "not read: a TLB knew the translation";
  }
}

/** A level in words, for screen readers. */
export function levelSentence(level: LevelView, machine: MachineView): string {
  return `${wordsOf(machine).tableEntry(level.table_name)} ${level.index} of ${level.n_entries} at ${level.entry_address}, ${how(level)}`;
}
