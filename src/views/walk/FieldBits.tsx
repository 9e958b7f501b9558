import type { EntryField } from "../../model/walkEntry";

/** The fields of an entry from the highest bit to the lowest, each explained on hover. */
export function FieldBits({
  fields,
}: {
  readonly fields: readonly EntryField[];
}) {
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
          <code>{field.value}</code>
        </li>
      ))}
    </ol>
  );
}
