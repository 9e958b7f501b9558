/** One page-table entry, bit by bit. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import { entryFields } from "../../model/walkEntry";

export interface EntryBitsProps {
  readonly level: LevelView;
  readonly machine: MachineView;
}

export function EntryBits({ level, machine }: EntryBitsProps) {
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
      <ol className="walk-bits">
        {entryFields(level, machine).map((field) => (
          <li
            key={field.high}
            className={
              field.address ? "address" : field.isSet ? "set" : undefined
            }
            title={`${field.high === field.low ? `bit ${field.low}` : `bits ${field.high}:${field.low}`}: ${field.meaning}`}
          >
            <span>{field.name}</span>
            <code>{field.value}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}
