/** The bits of a page-table entry as texts. */
import type { FieldView } from "../../engine/generated/FieldView";
import type { Hex } from "../../engine/generated/Hex";
import type { LevelView } from "../../engine/generated/LevelView";
import { listOf } from "../replay/bits";
import { hex } from "../shared/hex";

/** Bytes of an entry of a nested walk. */
const ENTRY_BYTES = 8;

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
  return fields.map((field) => {
    const { value } = field;
    const isSet = BigInt(value) !== 0n;
    return {
      ...field,
      // The manual’s short word says nothing to a reader.
      name: field.name === "avl" ? "free" : field.name,
      value: fieldValue(field, value),
      isSet,
    };
  });
}

/** Bits of caching, of protection keys, and bits that no processor uses. */
const SPECIAL = /^(PAT|PCD|PWT|key|free|–|\d+:\d+)$/;

/** Without bits that a beginner does not need; bits that must be 0 and are not stay. */
export function basicFields(fields: readonly EntryField[]): EntryField[] {
  return fields.filter(({ name, violated }) => violated || !SPECIAL.test(name));
}

function fieldValue(
  { high, low }: Pick<FieldView, "high" | "low">,
  value: Hex,
): string {
  return high === low || BigInt(value) === 0n ? value.slice(2) : value;
}

/**
 * The bytes of an entry, from the place of one; `null` if all have index 0. Small machines have smaller
 * entries than processors.
 */
export function entryBytes(levels: readonly LevelView[]): number | null {
  const level = levels.find(({ index }) => index > 0);
  if (!level) return null;
  const offset = BigInt(level.entry_address) - BigInt(level.table);
  return Number(offset / BigInt(level.index));
}

/** The place of an entry, written out: `0x1a3c000 + 254 × 8 = 0x1a3c7f0`. */
export function entryPlace(
  table: Hex,
  index: number,
  address: Hex,
  bytes: number | null = ENTRY_BYTES,
): string {
  const offset = bytes === null ? "0" : `${index} × ${bytes}`;
  return `${table} + ${offset} = ${address}`;
}

/** The address of the table that has an entry. */
export function tableOfEntry(address: Hex, index: number): Hex {
  return hex(BigInt(address) - BigInt(index * ENTRY_BYTES));
}

/** The address of an entry in a table. */
export function entryAddress(table: Hex, index: number): Hex {
  return hex(BigInt(table) + BigInt(index * ENTRY_BYTES));
}

/** The single bits that are set, from bit 0: `P W U A D`. */
export function entryFlags(level: Pick<LevelView, "fields">): string {
  return entryFields(level)
    .filter(
      ({ name, isSet, address, high, low }) =>
        isSet && !address && high === low && /\w/.test(name),
    )
    .map(({ name }) => name)
    .toReversed()
    .join(" ");
}

/** The value of a flag before the access; `null` if it did not change. An access sets single bits only. */
export function fieldBefore(
  field: Pick<EntryField, "high" | "low" | "value">,
  was: Hex | undefined,
): string | null {
  if (was === undefined || field.high !== field.low) return null;
  const bits = BigInt.asUintN(
    field.high - field.low + 1,
    BigInt(was) >> BigInt(field.low),
  );
  const before = fieldValue(field, hex(bits));
  return before === field.value ? null : before;
}

/** What this access set in an entry: `this access set A and D`; empty if it set nothing. */
export function setByAccess({
  fields,
  was,
}: Pick<LevelView, "fields" | "was">): string {
  const names = entryFields({ fields })
    .filter((field) => fieldBefore(field, was) !== null)
    .map(({ name }) => name)
    .toReversed();
  return names.length === 0 ? "" : `this access set ${listOf(names)}`;
}

/** Who changed an entry, and its value before. */
export interface EntryChange {
  readonly was: Hex;
  readonly who: "this access" | "software";
}

/** The change of an entry that its bits show: the access’s own, otherwise the software’s. */
export function entryChange(
  { was }: { readonly was?: Hex },
  bySoftware: { readonly was: Hex } | null | undefined,
): EntryChange | null {
  if (was !== undefined) return { was, who: "this access" };
  return bySoftware ? { was: bySoftware.was, who: "software" } : null;
}

/** The bits of a field whose name occurs twice, `58:52`; empty for the others. */
export function bitsOfTwin(
  field: EntryField,
  fields: readonly EntryField[],
): string {
  const { name, high, low } = field;
  const isTwice = fields.some(
    (other) => other !== field && other.name === name,
  );
  if (!isTwice) return "";
  return high === low ? String(low) : `${high}:${low}`;
}
