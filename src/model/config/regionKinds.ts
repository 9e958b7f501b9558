/** The kinds of memory regions. */
import type { RegionKind } from "../../engine/generated/RegionKind";

/** Every kind once: a missing kind does not compile. */
const PRESENT: Record<RegionKind, true> = {
  text: true,
  library: true,
  jit: true,
  heap: true,
  stack: true,
  anonymous: true,
  file: true,
  shared: true,
  vdso: true,
};

// The keys of the record are the kinds, so the cast is safe.
export const REGION_KINDS = Object.keys(PRESENT) as readonly RegionKind[];
