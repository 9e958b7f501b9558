/** Machines and mappings with every field that the page needs, even if they came as `{}`. */
import { DEFAULT_MACHINE, DEFAULT_OS } from "../../engine/generated/defaults";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Json } from "../shared/mergePatch";

/** Adds missing fields, with the core's defaults. Wrong values stay: the core reports them. */
export function withDefaults(machine: Json): MachineConfig {
  const { latency, memory } = DEFAULT_MACHINE;
  const filled: unknown = isObject(machine)
    ? {
        ...DEFAULT_MACHINE,
        ...machine,
        latency: under(latency, machine.latency),
        memory: under(memory, machine.memory),
      }
    : machine;
  // The cast is unchecked; the core checks every field before it is used.
  return filled as MachineConfig;
}

/** Adds missing fields to a mapping and to its host. Wrong values stay: the core reports them. */
export function mappingWithDefaults(os: Json): OsConfig {
  const filled: unknown = isObject(os)
    ? {
        ...DEFAULT_OS,
        ...os,
        ...(os.host !== undefined && { host: under(DEFAULT_OS, os.host) }),
      }
    : os;
  // The cast is unchecked; the core checks every field before it is used.
  return filled as OsConfig;
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
