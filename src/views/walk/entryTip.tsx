import type { LevelView } from "../../engine/generated/LevelView";
import { cycles } from "../../model/format";

/** How an entry was come by, in words. */
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

/** A level for screen readers. */
export function levelSentence(level: LevelView): string {
  return `${level.table_name} entry ${level.index} of ${level.n_entries}, ${how(level)}`;
}

/** What hovering a table explains. */
export function entryTip(level: LevelView) {
  return (
    <>
      <p className="tip-title">
        {level.table_name}[{level.index}] of {level.n_entries}
      </p>
      <table className="tip-table">
        <tbody>
          <tr>
            <th scope="row">table</th>
            <td className="walk-mono">{level.table}</td>
          </tr>
          <tr>
            <th scope="row">entry</th>
            <td className="walk-mono">{level.entry_address}</td>
          </tr>
          <tr>
            <th scope="row">value</th>
            <td className="walk-mono">{level.value}</td>
          </tr>
        </tbody>
      </table>
      <p className="tip-note">{how(level)}</p>
    </>
  );
}
