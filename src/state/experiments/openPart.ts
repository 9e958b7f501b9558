/** Opens a simulation of an experiment as a replay: its workload on its machine and memory. */
import type { Part } from "../../engine/generated/Part";
import type { Context } from "../context";
import { generateTrace } from "../generate/actions";
import { DEFAULT_CPU } from "../config/configurations";

export function openPart(context: Context, part: Part): Promise<void> {
  const { workload: id, params, machine, os, window } = part;
  const { cpus, configuration } = context.store.getState();
  // A machine made for the experiment counts as edited.
  const model = cpus.find(({ name }) => name === machine.name);
  const cpu = model?.id ?? configuration?.cpu ?? DEFAULT_CPU;
  return generateTrace(context, {
    workload: { id, params },
    configuration: { cpu, setup: { machine, os, window } },
  });
}
