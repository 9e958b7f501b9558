import type { EntryField } from "../../model/walk/entry";

/** The fields of an entry from the highest bit to the lowest, each with a tooltip. */
export function FieldBits({
  fields,
  was = [],
}: {
  readonly fields: readonly EntryField[];
  /** The fields before the change; missing if nothing changed. */
  readonly was?: readonly EntryField[];
}) {
  const before = ({ high, low, value }: EntryField) => {
    const same = was.find((field) => field.high === high && field.low === low);
    return same && same.value !== value ? same.value : null;
  };
  return (
    <ol className="walk-bits">
      {fields.map((field) => (
        <li
          key={field.high}
          className={
            field.violated
              ? "violated"
              : field.address
                ? "address"
                : field.isSet
                  ? "set"
                  : undefined
          }
          title={`${field.high === field.low ? `bit ${field.low}` : `bits ${field.high}:${field.low}`}: ${field.meaning}`}
        >
          <span>{field.name}</span>
          <code>
            {before(field) === null ? null : <s>{before(field)}</s>}
            {field.value}
          </code>
        </li>
      ))}
    </ol>
  );
}
