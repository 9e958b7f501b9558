/** Where the search for a translation begins: not every machine has first-level arrays for every kind of access. */
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";

/** The kind as which an access is translated: a prefetch translates as a load. */
export function translatedAs(kind: Kind): Kind {
  return kind === "prefetch" ? "load" : kind;
}

/** No level-1 array serves the kind: level 2 is asked first, and a hit there misses nothing and is free. */
export function startsAtLevel2(machine: MachineView, kind: Kind): boolean {
  const served = translatedAs(kind);
  return !machine.structures.some(
    ({ role, serves }) => role === "l1" && serves.includes(served),
  );
}
