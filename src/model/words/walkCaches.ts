/** Walk caches by their names in configurations. */
import type { PscConfig } from "../../engine/generated/PscConfig";
import { LEVEL_CACHES } from "../../engine/generated/words";

export type PscName = keyof PscConfig;

/** A cache with entries of one level. */
export type LevelCache = (typeof LEVEL_CACHES)[number];

export function hasOneLevel(name: string): name is LevelCache {
  return LEVEL_CACHES.some((cache) => cache === name);
}

/** The level of the tables that hold a cache's entries, 1 the lowest; `undefined` for several levels. */
export function levelOf(name: string): number | undefined {
  return hasOneLevel(name) ? LEVEL_CACHES.indexOf(name) + 2 : undefined;
}
