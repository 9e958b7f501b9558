/** One page-table entry, bit by bit. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { ChangeView } from "../../engine/generated/ChangeView";
import { entryChange, entryFields, setByAccess } from "../../model/walk/entry";
import { FieldBits } from "./FieldBits";

export interface EntryBitsProps {
  readonly level: LevelView;
  /** What software changed in the entry around this access. */
  readonly change?: ChangeView | null;
}

export function EntryBits({ level, change = null }: EntryBitsProps) {
  const name = `${level.table_name}[${level.index}]`;
  const set = setByAccess(level);
  return (
    <div
      className={level.state === "read" ? "walk-entry read" : "walk-entry"}
      role="group"
      aria-label={`Entry ${name}`}
    >
      <span className="walk-entry-value">
        <b>{name}</b> <code>{level.value}</code>
        {change ? (
          <span className="walk-entry-was">
            {" "}
            was <code>{change.was}</code>
          </span>
        ) : set === "" ? null : (
          <span className="walk-entry-was"> {set}</span>
        )}
      </span>
      <FieldBits
        fields={entryFields(level)}
        change={entryChange(level, change)}
      />
    </div>
  );
}
