/**
 * The bits of an entry of a nested walk: the guest's have the processor's format, the host's the format of
 * EPT, the processor or stage 2.
 */
import type { HostFormat } from "../../../engine/generated/HostFormat";
import type { NestedCellView } from "../../../engine/generated/NestedCellView";
import { entryFields } from "../entry";
import type { EntryField } from "../entry";

/** Memory types of bits 5:3 of an EPT entry (SDM vol. 3C, 28.2.7). */
const TYPES: Readonly<Record<number, string>> = {
  0: "UC",
  1: "WC",
  4: "WT",
  5: "WP",
  6: "WB",
};

/** The fields from bit 63 down to bit 0; the memory type by its usual letters. */
export function cellFields(view: Pick<NestedCellView, "fields">): EntryField[] {
  return entryFields(view).map((field) =>
    field.name === "type"
      ? { ...field, value: TYPES[Number(field.value)] ?? field.value }
      : field,
  );
}

const RIGHTS = ["R", "W", "X"];

/** The bits that are set, on one line: `R W X · WB · A D` for an EPT entry, `P W U A D` for others. */
export function cellFlags(
  view: Pick<NestedCellView, "fields" | "dimension">,
  format: HostFormat,
): string {
  const fields = cellFields(view);
  const flags = fields
    .filter(
      ({ isSet, address, high, low }) => isSet && !address && high === low,
    )
    .map(({ name }) => name)
    .toReversed();
  if (view.dimension === "guest" || format !== "ept") return flags.join(" ");
  const type = fields.find(({ name }) => name === "type")?.value ?? "";
  return [
    flags.filter((name) => RIGHTS.includes(name)).join(" "),
    type,
    flags.filter((name) => !RIGHTS.includes(name)).join(" "),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
