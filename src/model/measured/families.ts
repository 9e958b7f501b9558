/** The processor families of events. */
import type { EventFamily } from "../../engine/generated/EventFamily";

/** Every family once: a missing family does not compile. */
const PRESENT: Readonly<Record<EventFamily, true>> = {
  "intel-nehalem": true,
  "intel-sandy-bridge": true,
  "intel-skylake": true,
  "intel-golden-cove": true,
  "intel-atom": true,
  "amd-k10": true,
  "amd-zen": true,
  arm: true,
};

// The keys of the record are the families, so the cast is safe.
export const EVENT_FAMILIES = Object.keys(PRESENT) as readonly EventFamily[];
