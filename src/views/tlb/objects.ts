import type { StructureRole } from "../../engine/generated/StructureRole";
import type { PictureObject } from "../../model/replay/parts";
import type { ArrayEvent } from "../../model/tlb/event";
import { placesOf } from "../shared/terms/places";
import type { Places } from "../shared/terms/places";

type Part = "array" | "set" | "entry" | "victim";

/** The object of a sentence that a part of an array's picture shows; a walk cache is one object. */
function objectOf(role: StructureRole, part: Part): PictureObject[] {
  if (role === "l1" || role === "l2") return [`${part}-${role}`];
  return role === "psc" && part === "entry" ? ["cache"] : [];
}

/** The attributes of a part of an array. */
export function arrayPlaces(
  role: StructureRole,
  ...parts: readonly Part[]
): Places {
  return placesOf(...parts.flatMap((part) => objectOf(role, part)));
}

/** The attributes of a slot, if the access looked it up or filled it. */
export function slotPlaces(
  role: StructureRole,
  event: ArrayEvent,
  set: number,
  isMarked: boolean,
): Places {
  if (event.set !== set) return {};
  return arrayPlaces(role, "set", ...(isMarked ? (["entry"] as const) : []));
}
