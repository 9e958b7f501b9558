/** One page-table entry, bit by bit. */
import type { LevelView } from "../../engine/generated/LevelView";
import { entryFields } from "../../model/walkEntry";
import { FieldBits } from "./FieldBits";

export interface EntryBitsProps {
  readonly level: LevelView;
}

export function EntryBits({ level }: EntryBitsProps) {
  const name = `${level.table_name}[${level.index}]`;
  return (
    <div
      className={level.state === "read" ? "walk-entry read" : "walk-entry"}
      role="group"
      aria-label={`Entry ${name}`}
    >
      <span className="walk-entry-value">
        <b>{name}</b> <code>{level.value}</code>
      </span>
      <FieldBits fields={entryFields(level)} />
    </div>
  );
}
