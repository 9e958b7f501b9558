/**
 * The walk caches of a machine: paging-structure caches, and for nested walks the nested TLB, those of the
 * host's tables and the page walk cache. Without them every walk is cold: it reads all its tables.
 */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { VirtConfig } from "../../engine/generated/VirtConfig";

const OF_VIRT = ["nested_tlb", "ept_psc", "pwc"] as const;

type Caches = Pick<MachineConfig, "psc" | "virt">;

export function hasWalkCaches({ psc, virt = {} }: Caches): boolean {
  return (
    Object.keys(psc).length > 0 ||
    virt.nested_tlb !== undefined ||
    virt.pwc !== undefined ||
    Object.keys(virt.ept_psc ?? {}).length > 0
  );
}

/** Why the model has no walk caches although the processor may have some; `undefined` if the machine has some. */
export function missingWalkCaches(
  machine: Caches,
  model: Pick<CpuModel, "no_walk_caches"> | undefined,
): string | undefined {
  return hasWalkCaches(machine) ? undefined : model?.no_walk_caches;
}

/** The same machine without walk caches. */
export function withoutWalkCaches(machine: MachineConfig): MachineConfig {
  return withWalkCaches(machine, { psc: {} });
}

/** The machine with the walk caches of another one; everything else stays. */
export function withWalkCaches(
  machine: MachineConfig,
  from: Caches,
): MachineConfig {
  // Hashed page tables have no paging-structure caches.
  const psc = machine.ecpt ? {} : from.psc;
  const next: MachineConfig = { ...machine, psc };
  const virt: VirtConfig = { ...machine.virt };
  for (const key of OF_VIRT) {
    // Left out instead of set to `undefined`, since the two differ in JSON.
    Reflect.deleteProperty(virt, key);
    if (from.virt?.[key] !== undefined)
      Object.assign(virt, { [key]: from.virt[key] });
  }
  if (machine.virt ?? from.virt) next.virt = virt;
  return next;
}

/**
 * The caches that "on" restores: those of the last configuration of the same CPU that had some, otherwise the
 * model's. `undefined` if there were none.
 */
export function walkCachesBefore(
  past: readonly {
    readonly cpu: string;
    readonly setup: { readonly machine: MachineConfig };
  }[],
  cpu: string,
  model: MachineConfig | undefined,
): Caches | undefined {
  const before = past.findLast(
    (each) => each.cpu === cpu && hasWalkCaches(each.setup.machine),
  );
  const caches = before?.setup.machine ?? model;
  return caches && hasWalkCaches(caches) ? caches : undefined;
}
