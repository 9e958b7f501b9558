/** The address fields as a row of boxes, for narrow screens: the indices without the bits. */
import { fieldObjects } from "../../model/replay/bits";
import type { BitField } from "../../model/replay/bits";
import { placesOf } from "../shared/terms/places";

export interface BitFieldsProps {
  readonly fields: readonly BitField[];
}

export function BitFields({ fields }: BitFieldsProps) {
  return (
    <ol className="access-fields">
      {fields.map((field) => (
        <li
          key={field.name}
          className={field.state === "read" ? "read" : undefined}
          title={field.tip}
          data-level={field.level ?? undefined}
          data-offset={field.level === null || undefined}
          {...placesOf(...fieldObjects(field))}
        >
          <span>{field.name}</span>
          <b>{field.value}</b>
        </li>
      ))}
    </ol>
  );
}
