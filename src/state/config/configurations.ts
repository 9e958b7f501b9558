/** Configurations as values: a CPU model's own, and equality. */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import type { Setup } from "../../engine/engine";
import type { Cores } from "../../engine/generated/Cores";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { OsConfig } from "../../engine/generated/OsConfig";
import { cpuOf } from "../../model/config/cpus";
import { same } from "../../model/shared/mergePatch";

/** A machine, the CPU model it started from, and the memory mapping. */
export interface Configuration {
  /** The id of the CPU model; the machine may differ from it. */
  readonly cpu: string;
  readonly setup: Setup;
}

/** The CPU model of a new session. */
export const DEFAULT_CPU = "intel-skylake-sp";

/** The known CPU models. */
interface Known {
  readonly cpus: readonly CpuModel[];
}

export function modelOf({ cpus }: Known, id: string): CpuModel | undefined {
  return cpuOf(cpus, id);
}

export function configurationOf(
  model: CpuModel,
  os: OsConfig = DEFAULT_OS,
): Configuration {
  return { cpu: model.id, setup: { machine: model.machine, os } };
}

/** The configuration with the cores that a trace asks for; unchanged if it asks for none. */
export function withCores(
  configuration: Configuration,
  cores: Cores | undefined,
): Configuration {
  if (cores === undefined) return configuration;
  return { ...configuration, setup: { ...configuration.setup, cores } };
}

/** The initial configuration; `undefined` before the models are known. */
export function defaultConfiguration(state: Known): Configuration | undefined {
  const model = modelOf(state, DEFAULT_CPU) ?? state.cpus[0];
  return model && configurationOf(model);
}

export function sameConfiguration(a: Configuration, b: Configuration): boolean {
  return (
    a.cpu === b.cpu &&
    same(a.setup.machine, b.setup.machine) &&
    same(a.setup.os, b.setup.os) &&
    (a.setup.cores ?? "one") === (b.setup.cores ?? "one") &&
    same(a.setup.window, b.setup.window)
  );
}
