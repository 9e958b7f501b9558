import type { StructureView } from "../../engine/generated/StructureView";
import type {
  ArrayColumns,
  ArrayEntry,
  ArrayLayout,
} from "../../model/tlb/array";
import type { ArrayEvent } from "../../model/tlb/event";
import type { Shown } from "./ArrayTitle";
import type { Place } from "./place";

/** The properties that every picture of an array has. */
export interface ArrayPicture {
  readonly view: StructureView;
  readonly content: ArrayColumns;
  readonly layout: ArrayLayout;
  readonly event: ArrayEvent;
  readonly picked: Place | null;
  readonly shown: Shown;
  readonly onPick: (set: number, way: number | null) => void;
  /** Clears the selection. */
  readonly onDrop: () => void;
}

/** Returns whether the filter hides an entry. */
export function isHidden(
  { table, keyShift }: Pick<ArrayEntry, "table" | "keyShift">,
  shown: Shown,
): boolean {
  if (shown === "all") return false;
  return shown === "table" ? !table : table || keyShift !== shown;
}
