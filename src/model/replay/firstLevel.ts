/** Where a lookup starts: not every machine has first-level arrays for every kind of access. */
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";

/** The kind that an access is translated as: a prefetch translates as a load. */
export function translatedAs(kind: Kind): Kind {
  return kind === "prefetch" ? "load" : kind;
}

/**
 * Whether no level-1 array serves the kind. Level 2 is then looked up first, and its hit is no miss and free.
 */
export function startsAtLevel2(machine: MachineView, kind: Kind): boolean {
  const served = translatedAs(kind);
  return !machine.structures.some(
    ({ role, serves }) => role === "l1" && serves.includes(served),
  );
}
