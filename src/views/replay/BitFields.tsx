/** The address fields as a row of boxes, for narrow screens: the indices without the bits. */
import { fieldObjects } from "../../model/replay/bits";
import type { BitField } from "../../model/replay/bits";
import { pressOf, useAsking } from "../shared/asking";
import { placesOf } from "../shared/terms/places";

export interface BitFieldsProps {
  readonly fields: readonly BitField[];
}

export function BitFields({ fields }: BitFieldsProps) {
  const asking = useAsking();
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
          {...pressOf(asking, fieldObjects(field), field.name)}
        >
          <span>{field.name}</span>
          {/* While a question waits, the reader has the bits. */}
          {asking ? <code>{field.bits}</code> : <b>{field.value}</b>}
        </li>
      ))}
    </ol>
  );
}
