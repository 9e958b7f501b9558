/** The fields of the address as a row of boxes, for a narrow screen: the indices without the bits. */
import type { BitField } from "../../model/replay/bits";

export interface BitFieldsProps {
  readonly fields: readonly BitField[];
}

export function BitFields({ fields }: BitFieldsProps) {
  return (
    <ol className="access-fields">
      {fields.map(({ name, value, state, level }) => (
        <li
          key={name}
          className={state === "read" ? "read" : undefined}
          data-level={level ?? undefined}
        >
          <span>{name}</span>
          <b>{state === "copied" ? value.replace("0x", "") : value}</b>
        </li>
      ))}
    </ol>
  );
}
