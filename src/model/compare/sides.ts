/**
 * The two machines of a comparison. The left one is the replay's; the right one has the form that links use.
 */
import type { Cores } from "../../engine/generated/Cores";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { smallestPage } from "../config/defaults";
import { cpuOf, mappingOf, processors } from "../config/cpus";
import { mappingText } from "../config/mapping";
import { wordsOfConfig } from "../words/words";
import { machinePatch, patchedMachine } from "../permalink/permalink";
import type { Permalink } from "../permalink/permalink";
import { same } from "../shared/mergePatch";
import { hugePage, pagesText, withDefault } from "../config/pagePolicies";

/** A machine as a CPU model with its changes, and the memory mapping. */
export type Side = Pick<Permalink, "cpu" | "machine" | "os">;

/** A CPU model's id, and the simulated configuration. */
export interface SideSetup {
  readonly cpu: string;
  readonly setup: {
    readonly machine: MachineConfig;
    readonly os: OsConfig;
    readonly cores?: Cores;
    readonly window?: RunWindow;
  };
}

export function sideOf(
  cpus: readonly CpuModel[],
  { cpu, setup }: SideSetup,
): Side {
  const model = cpuOf(cpus, cpu);
  const machine = model && machinePatch(model.machine, setup.machine);
  return { cpu, ...(machine !== undefined && { machine }), os: setup.os };
}

/**
 * The configuration of a side, with the part of the trace and the cores of `left`. `undefined` if the model
 * is unknown.
 */
export function setupOf(
  cpus: readonly CpuModel[],
  side: Side,
  left: SideSetup,
): SideSetup | undefined {
  const cpu = side.cpu ?? left.cpu;
  const model = cpuOf(cpus, cpu);
  if (!model) return undefined;
  const machine = patchedMachine(model.machine, side.machine);
  const os = side.os ?? mappingOf(model, machine);
  return { cpu, setup: { ...left.setup, machine, os } };
}

/** The initial right side: the same machine with huge pages or with small ones, otherwise another machine. */
export function usualRight(cpus: readonly CpuModel[], left: SideSetup): Side {
  const { machine, os } = left.setup;
  const huge = hugePage(machine);
  if (huge !== null && os.default !== huge && os.regions.length === 0)
    return sideOf(cpus, {
      ...left,
      setup: { ...left.setup, os: withDefault(os, huge) },
    });
  if (os.default === huge)
    return sideOf(cpus, {
      ...left,
      setup: { ...left.setup, os: withDefault(os, smallestPage(machine)) },
    });
  const other = processors(cpus).find(({ id }) => id !== left.cpu);
  return { cpu: other?.id ?? left.cpu };
}

/** A side in words, `Skylake-SP, 4K, native`: model, pages and memory. */
export function sideText(cpus: readonly CpuModel[], side: SideSetup): string {
  const { machine, os } = side.setup;
  const model = cpuOf(cpus, side.cpu);
  const edited = same(model?.machine, machine) ? "" : ", edited";
  return `${model?.name ?? side.cpu}${edited}, ${pagesText(os)}, ${mappingText(os, wordsOfConfig(machine))}`;
}
