/** One page-table entry, bit by bit. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { ChangeView } from "../../engine/generated/ChangeView";
import {
  basicFields,
  entryChange,
  entryFields,
  setByAccess,
} from "../../model/walk/entry";
import { usePlain } from "../shared/plain";
import { FieldBits } from "./FieldBits";

export interface EntryBitsProps {
  readonly level: LevelView;
  /** What software changed in the entry around this access. */
  readonly change?: ChangeView | null;
}

export function EntryBits({ level, change = null }: EntryBitsProps) {
  const name = `${level.table_name}[${level.index}]`;
  const set = setByAccess(level);
  const plain = usePlain();
  const fields = entryFields(level);
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
        fields={plain ? basicFields(fields) : fields}
        change={entryChange(level, change)}
      />
    </div>
  );
}
