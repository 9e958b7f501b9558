/** What a region of memory can hold. */
import type { RegionKind } from "../../engine/generated/RegionKind";

/** Every kind once: a kind that is missing here does not compile. */
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

// The keys of the record are the kinds.
export const REGION_KINDS = Object.keys(PRESENT) as readonly RegionKind[];
