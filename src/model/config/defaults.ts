/**
 * The fields of a machine that JSON may omit, with the core's defaults; a test compares the two. The editor
 * needs every field, even if the machine came as `{}`.
 */
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Json } from "../shared/mergePatch";

export const MACHINE_DEFAULTS = {
  name: "",
  l1: [{ name: "L1 TLB", entries: 64 }],
  l2: [],
  inclusion: "nine",
  psc: {},
  latency: { l2_hit: 7, walk_overhead: 0 },
  walkers: 1,
  memory: { data: false, caches: [], dram: 200 },
  seed: 1,
} as const satisfies Json;

/** Adds missing fields. Wrong values stay: the core reports them. */
export function withDefaults(machine: Json): MachineConfig {
  const { latency, memory } = MACHINE_DEFAULTS;
  const filled: unknown = isObject(machine)
    ? {
        ...MACHINE_DEFAULTS,
        ...machine,
        latency: under(latency, machine.latency),
        memory: under(memory, machine.memory),
      }
    : machine;
  // The cast is unchecked; the core checks every field before it is used.
  return filled as MachineConfig;
}

function under(defaults: object, value: Json | undefined): Json | object {
  if (value === undefined) return defaults;
  return isObject(value) ? { ...defaults, ...value } : value;
}

function isObject(
  value: Json | undefined,
): value is { readonly [key: string]: Json | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The smallest page size of a machine. */
export function smallestPage({ paging }: MachineConfig): PageSize {
  const bytes = 2 ** (paging?.offset_bits ?? 12);
  return bytes < 1024 ? String(bytes) : `${bytes / 1024}K`;
}
