/** Why a reference of a nested walk was skipped: its hatch and its name. */
import { LEVEL_CACHES } from "../../../engine/generated/words";
import type { LevelCache } from "../../words/walkCaches";
import type { LookupView } from "../../../engine/generated/LookupView";
import type { MachineView } from "../../../engine/generated/MachineView";
import type { NestedCellView } from "../../../engine/generated/NestedCellView";
import type { NestedRowView } from "../../../engine/generated/NestedRowView";
import type { TranslationView } from "../../../engine/generated/TranslationView";
import { hostCacheName, pscName, structureName } from "../../tlb/names";
import { wordsOf } from "../../words/words";

/** The hatch of a skipped reference. */
export type SkipKind = "tlb" | "combined" | "nested-tlb" | EptKind | "pwc";

/** The host's walk cache of one level. */
export type EptKind = `ept-${LevelCache}`;

export interface Skip {
  readonly kind: SkipKind;
  /** The name of the structure: `nested TLB`. */
  readonly who: string;
  /** The structure's number in `MachineView`. */
  readonly structure: number | null;
  /** The lookup that hit. */
  readonly lookup: LookupView | null;
}

/** The EPT cache with these entries: keys of PDEs begin at bit 21, and each level adds 9 bits. */
export function eptKind(keyShift: number): EptKind {
  return `ept-${LEVEL_CACHES[(keyShift - 21) / 9] ?? LEVEL_CACHES[0]}`;
}

/** `null` for an entry that was read. */
export function skipOf(
  cell: NestedCellView,
  row: NestedRowView,
  translation: TranslationView,
  machine: MachineView,
): Skip | null {
  const by = (kind: SkipKind, lookup: LookupView | undefined, who?: string) => {
    const structure = cell.skipped_by ?? lookup?.structure ?? null;
    const name =
      structure === null
        ? kindWord(kind, machine)
        : structureName(machine, structure);
    return { kind, who: who ?? name, structure, lookup: lookup ?? null };
  };
  const hitOf = (lookups: readonly LookupView[]) =>
    lookups.find(({ hit }) => hit);
  switch (cell.state) {
    case "read":
      return null;
    case "skipped-by-tlb":
      return by("tlb", hitOf(translation.tlb));
    case "skipped-by-psc": {
      const hit = hitOf(translation.psc);
      return by(
        "combined",
        hit,
        hit && pscName(machine, hit, translation.levels),
      );
    }
    case "skipped-by-nested-tlb":
      return by("nested-tlb", hitOf(row.lookups));
    case "skipped-by-ept-psc": {
      const hit = hitOf(row.lookups);
      return by(eptKind(hit?.key_shift ?? 21), hit);
    }
    case "skipped-by-pwc":
      return by("pwc", cell.lookup ?? undefined);
  }
}

/** The words for a kind if no structure is named. */
function kindWord(kind: SkipKind, machine: MachineView): string {
  switch (kind) {
    case "tlb":
      return "TLB";
    case "combined":
      return "walk cache";
    case "nested-tlb":
      return wordsOf(machine).nestedTlb;
    case "pwc":
      return "page walk cache";
    case "ept-pde":
    case "ept-pdpte":
    case "ept-pml4e":
    case "ept-pml5e":
      return hostCacheName(kind, machine);
  }
}
