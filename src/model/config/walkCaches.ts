/**
 * The walk caches of a machine: paging-structure caches, and for nested walks the nested TLB, those of the
 * host's tables and the page walk cache. Hashed page tables have two of their own. Without them every walk is cold: it
 * reads all its tables.
 */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { VirtConfig } from "../../engine/generated/VirtConfig";

const OF_VIRT = ["nested_tlb", "ept_psc", "pwc"] as const;

type Caches = Pick<MachineConfig, "psc" | "virt" | "ecpt">;

export function hasWalkCaches({ psc, virt = {}, ecpt }: Caches): boolean {
  return (
    // A number that is left out is the core's default, which is not 0.
    (ecpt !== undefined && (ecpt.pmd_cwc !== 0 || ecpt.pud_cwc !== 0)) ||
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
  const next: MachineConfig = { ...machine, psc: from.psc };
  if (machine.ecpt) {
    // Hashed page tables have no paging-structure caches.
    next.psc = {};
    const { pmd_cwc, pud_cwc } = from.ecpt ?? { pmd_cwc: 0, pud_cwc: 0 };
    next.ecpt = { ...machine.ecpt, pmd_cwc, pud_cwc };
  }
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
 * model's. Hashed page tables restore only those of hashed page tables. `undefined` if there were none.
 */
export function walkCachesBefore(
  past: readonly {
    readonly cpu: string;
    readonly setup: { readonly machine: MachineConfig };
  }[],
  cpu: string,
  model: MachineConfig | undefined,
  now: MachineConfig,
): Caches | undefined {
  const before = past.filter((each) => each.cpu === cpu);
  return [model, ...before.map(({ setup }) => setup.machine)].findLast(
    (each) => each && hasWalkCaches(each) && !each.ecpt === !now.ecpt,
  );
}
