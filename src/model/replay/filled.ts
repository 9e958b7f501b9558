/** Where a translation was filled. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";

/** A filled slot of a TLB array. */
export interface FilledPlace {
  readonly structure: number;
  readonly set: number;
  readonly way: number;
  /** The page or table entry that was evicted. */
  readonly evicted: string | null;
}

/** The slots of the TLB: first level, then second. */
export function filledPlaces(
  { fills, page_shift }: TranslationView,
  machine: MachineView,
): FilledPlace[] {
  const inLevel = (role: "l1" | "l2") =>
    fills.filter(
      ({ structure, key_shift }) =>
        machine.structures[structure]?.role === role && key_shift <= page_shift,
    );
  return [...inLevel("l1"), ...inLevel("l2")].map(
    ({ structure, set, way, evicted }) => ({
      structure,
      set,
      way,
      evicted: evicted?.key ?? null,
    }),
  );
}
