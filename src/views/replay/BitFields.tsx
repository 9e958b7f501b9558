/** The address fields as a row of boxes, for narrow screens: the indices without the bits. */
import type { BitField } from "../../model/replay/bits";

export interface BitFieldsProps {
  readonly fields: readonly BitField[];
}

export function BitFields({ fields }: BitFieldsProps) {
  return (
    <ol className="access-fields">
      {fields.map(({ name, value, tip, state, level }) => (
        <li
          key={name}
          className={state === "read" ? "read" : undefined}
          title={tip}
          data-level={level ?? undefined}
          data-offset={level === null || undefined}
        >
          <span>{name}</span>
          <b>{value}</b>
        </li>
      ))}
    </ol>
  );
}
