/** CPU models and their variants with one kind of id: `intel-skylake`, `intel-skylake:smt-on`. */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { CpuVariant } from "../../engine/generated/CpuVariant";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import { smallestPage } from "./defaults";

/** The id of a variant, as `--cpu` reads it. */
export function variantId(model: CpuModel, variant: CpuVariant): string {
  return `${model.id}:${variant.id}`;
}

/** The model of an id; for a variant, the model with the variant's changes. */
export function cpuOf(
  cpus: readonly CpuModel[],
  id: string,
): CpuModel | undefined {
  const [base = "", which] = id.split(":");
  const model = cpus.find((each) => each.id === base);
  if (!model || which === undefined) return model;
  const variant = model.variants.find((each) => each.id === which);
  return (
    variant && {
      ...model,
      id,
      name: `${model.name}, ${variant.name}`,
      machine: variant.machine,
      // The sources of a variant come first, so they win over the model's.
      provenance: [...variant.provenance, ...model.provenance],
    }
  );
}

/** The heading under which a list shows the model. */
export function headingOf({ group, vendor }: CpuModel): string {
  return group ?? vendor;
}

/** Whether the model is a small machine of a textbook, with pages and tables of its own. */
export function isSmallMachine({ group }: Pick<CpuModel, "group">): boolean {
  return group !== undefined;
}

/** The models of real processors, without the small machines. */
export function processors(cpus: readonly CpuModel[]): readonly CpuModel[] {
  return cpus.filter((cpu) => !isSmallMachine(cpu));
}

/** The mapping that a model begins with: its own, or the smallest pages of its machine. */
export function mappingOf(
  model: CpuModel | undefined,
  machine: MachineConfig,
): OsConfig {
  return model?.os ?? { ...DEFAULT_OS, default: smallestPage(machine) };
}

/** The id of the model, without its variant. */
export function baseId(id: string): string {
  return id.split(":")[0] ?? id;
}
