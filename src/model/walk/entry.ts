/** The bits of a page-table entry as texts. */
import type { LevelView } from "../../engine/generated/LevelView";

/** Adjacent bits of an entry. */
export interface EntryField {
  readonly name: string;
  readonly high: number;
  readonly low: number;
  /** `0` and `1` for one bit, hex for more. */
  readonly value: string;
  readonly isSet: boolean;
  readonly meaning: string;
  /** Whether these are address bits: of a frame, or of the next table. */
  readonly address: boolean;
  /** Whether these bits must be 0 and are not. */
  readonly violated: boolean;
}

/** The fields of an entry from bit 63 down to bit 0; together they cover every bit once. */
export function entryFields({
  fields,
}: Pick<LevelView, "fields">): EntryField[] {
  return fields.map(({ value, ...field }) => {
    const isSet = BigInt(value) !== 0n;
    return {
      ...field,
      // The manual’s short word says nothing to a reader.
      name: field.name === "avl" ? "free" : field.name,
      value: field.high === field.low || !isSet ? value.slice(2) : value,
      isSet,
    };
  });
}
