/** What one access did to the arrays and walk caches, and which of them to show. */
import type { FillView } from "../../engine/generated/FillView";
import type { Kind } from "../../engine/generated/Kind";
import type { LookupView } from "../../engine/generated/LookupView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Outcome } from "../../engine/generated/Outcome";
import type { StepView } from "../../engine/generated/StepView";
import type { RefusedView } from "../../engine/generated/RefusedView";
import type { StructureRole } from "../../engine/generated/StructureRole";
import type { StructureView } from "../../engine/generated/StructureView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { translatedAs } from "../replay/firstLevel";
import { removedFrom } from "../replay/operations";
import type { RemovedEntry } from "../replay/operations";
import { pageSize } from "../shared/format";
import { setOf } from "./set";

/** What the access did to an array. */
export interface ArrayEvent {
  /** The set of the access's page, if the array was looked up or filled. */
  readonly set: number | null;
  /** The way that hit or was filled. */
  readonly way: number | null;
  /**
   * `other-size`: looked up together with the others of its level, but it holds no pages of this size.
   * `page-fault`: the access ended with a page fault. A processor looks up the set before the walk; the engine counts no
   * lookup of such an access.
   */
  readonly what:
    "not-asked" | "other-size" | "miss" | "hit" | "fill" | "page-fault";
  /** The page number that a page fault looked up. */
  readonly faulted: bigint | null;
  readonly lookup: LookupView | null;
  readonly fill: FillView | null;
  /** The outcome that gives the mark its colour and shape. */
  readonly outcome: Outcome;
  /** Other slots that hit or were filled: a nested walk looks up some structures several times. */
  readonly others: readonly { readonly set: number; readonly way: number }[];
  /**
   * Slots whose entry was removed without a fill: by an operation before the access, a shootdown, or a move
   * to level 1.
   */
  readonly removed: readonly RemovedEntry[];
  /** The slot of a page-table entry, or of a host's page, that hit or was filled in a TLB array. */
  readonly table: { readonly set: number; readonly way: number } | null;
}

type Around = Pick<StepView, "before" | "after"> &
  Partial<Pick<StepView, "refused">>;

const NO_OPERATIONS: Around = { before: [], after: [] };

/** Lookups and fills of pages in a TLB array, or of page-table entries in a walk cache. */
export function eventIn(
  translation: TranslationView,
  machine: MachineView,
  structure: number,
  kind: Kind,
  step: Around = NO_OPERATIONS,
): ArrayEvent {
  const { outcome, psc, page_shift } = translation;
  const view = machine.structures[structure];
  const isArray = view?.role === "l1" || view?.role === "l2";
  const here = (each: { structure: number }) => each.structure === structure;
  const asked = lookupsIn(translation, view?.role).filter(here);
  const fills = translation.fills.filter(here);
  // Everything in a TLB array that is no page of the program is a page-table entry, or a page of the host.
  const isTable = ({ key_shift, guest_physical }: FillView) =>
    isArray && (guest_physical === true || key_shift > page_shift);
  const fill = fills.find((each) => !isTable(each)) ?? null;
  const lookup = asked.find((each) => each.hit) ?? asked[0] ?? null;
  const place = lookup?.hit ? lookup : (fill ?? lookup);

  // A walk cache inside this array numbers its slots as the array does.
  const found = psc.find(
    (each) =>
      each.hit && machine.structures[each.structure]?.inside === structure,
  );
  const table = isArray ? (found ?? fills.find(isTable)) : undefined;
  const faulted =
    view && isArray && step.refused
      ? faultedPage(translation, machine, view, kind, step.refused)
      : null;
  return {
    set: view && faulted !== null ? setOf(view, faulted) : (place?.set ?? null),
    way: place?.way ?? null,
    what: lookup?.hit
      ? "hit"
      : fill
        ? "fill"
        : lookup
          ? "miss"
          : faulted !== null
            ? "page-fault"
            : wasLookedUp(translation, machine, structure, kind)
              ? "other-size"
              : "not-asked",
    faulted,
    lookup,
    fill,
    outcome,
    removed: removedFrom(step, translation, structure, machine),
    others: isArray ? [] : otherSlots(place, [...asked, ...fills]),
    table:
      table && table.way !== null ? { set: table.set, way: table.way } : null,
  };
}

/** The number of the page that a page fault looked up in an array; `null` if the array does not hold such pages. */
function faultedPage(
  { address }: TranslationView,
  { page_sizes, offset_bits }: MachineView,
  { serves, pages }: StructureView,
  kind: Kind,
  { levels }: RefusedView,
): bigint | null {
  const last = levels.at(-1);
  // Without an entry that maps a page, the size is unknown: the smallest is shown.
  const size = last?.leaf ? pageSize(last.shift) : page_sizes[0];
  const shift = last?.leaf ? last.shift : offset_bits;
  const holds = pages.length === 0 || pages.some((each) => each === size);
  return holds && serves.includes(translatedAs(kind))
    ? BigInt(address) >> BigInt(shift)
    : null;
}

/** Slots of other hits and fills, each once. */
function otherSlots(
  main: LookupView | FillView | null,
  all: readonly (LookupView | FillView)[],
): { set: number; way: number }[] {
  const slots = all.flatMap(({ set, way }) =>
    way === null || (set === main?.set && way === main.way)
      ? []
      : [{ set, way }],
  );
  return slots.filter(
    ({ set, way }, at) =>
      slots.findIndex((other) => other.set === set && other.way === way) === at,
  );
}

/** Lookups of one translation in structures of a role, in order. */
function lookupsIn(
  { tlb, psc, nested }: TranslationView,
  role: StructureRole | undefined,
): readonly LookupView[] {
  switch (role) {
    case undefined:
      return [];
    case "l1":
    case "l2":
    case "prefetch-buffer":
      return tlb;
    case "psc":
      return psc;
    case "nested-tlb":
    case "ept-psc":
      return (nested?.rows ?? []).flatMap(({ lookups }) => lookups);
    case "pwc":
      return (nested?.rows ?? [])
        .flatMap(({ host, guest }) => (guest ? [...host, guest] : host))
        .flatMap(({ lookup }) => lookup ?? []);
  }
}

/**
 * All arrays of a level that serve the kind are looked up together; the second level only after a miss in the
 * first.
 */
function wasLookedUp(
  { outcome, tlb }: TranslationView,
  machine: MachineView,
  structure: number,
  kind: Kind,
): boolean {
  const view = machine.structures[structure];
  // An access that ended before its translation has looked up nothing.
  if (tlb.length === 0) return false;
  if (view?.role !== "l1" && view?.role !== "l2") return false;
  const serves = view.serves.includes(translatedAs(kind));
  return serves && (view.role === "l1" || outcome !== "l1-hit");
}

/**
 * Structures of a translation by relevance: those that hit, those that were filled, those that were looked
 * up.
 */
function usedStructures({ tlb, fills }: TranslationView): number[] {
  return [...tlb.filter((each) => each.hit), ...fills, ...tlb].map(
    (each) => each.structure,
  );
}

/**
 * The first-level array to show: the one that hit, otherwise the one that was filled, otherwise the first
 * that was looked up. It is a second-level array if no first level serves this kind.
 */
export function usedArray(
  translation: TranslationView,
  machine: MachineView,
  kind: Kind,
): number {
  const used = usedStructures(translation);
  const inRole = (role: string) =>
    used.find((at) => machine.structures[at]?.role === role);
  return inRole("l1") ?? inRole("l2") ?? firstServing(machine, kind);
}

function firstServing({ structures }: MachineView, kind: Kind): number {
  const served = translatedAs(kind);
  return Math.max(
    0,
    structures.findIndex(({ serves }) => serves.includes(served)),
  );
}

/**
 * The second-level array to show below: the one that hit or was filled, otherwise one that serves the kind,
 * otherwise the first.
 */
export function usedSecondLevel(
  translation: TranslationView,
  machine: MachineView,
  kind: Kind,
): number | null {
  const { structures } = machine;
  const used = usedStructures(translation).find(
    (at) => structures[at]?.role === "l2",
  );
  if (used !== undefined) return used;
  const served = translatedAs(kind);
  const serving = structures.findIndex(
    ({ role, serves, pages }) =>
      role === "l2" &&
      serves.includes(served) &&
      (pages.length === 0 || pages.includes(translation.page_size)),
  );
  if (serving >= 0) return serving;
  const first = structures.findIndex(({ role }) => role === "l2");
  return first < 0 ? null : first;
}
