/**
 * The mapping of a new trace: the page sizes that its recording measured, unless the user chose a mapping, and no state of
 * another example.
 */
import type { MachineView } from "../../engine/generated/MachineView";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { TraceView } from "../../engine/generated/TraceView";
import { isFatal } from "../../engine/errors";
import { mappingOf } from "../../model/config/cpus";
import {
  isAsRecorded,
  withPages,
  withoutRecorded,
} from "../../model/config/pagePolicies";
import { same } from "../../model/shared/mergePatch";
import type { Context } from "../context";
import { set } from "../context";
import { builtInTrace, withGivenOf } from "../import/traces";
import { engineError, notifyError } from "../notices";
import type { AppState } from "../store";
import type { Configuration } from "./configurations";
import { modelOf } from "./configurations";

/**
 * Maps memory as the recording of the new trace measured it. Without measured sizes, or with a machine that lacks them,
 * memory has the other mapping. The tables that an example gives belong to its own trace. `isChosen`: a link or the user
 * has named the mapping. Returns the machine if it was configured.
 */
export async function followRecording(
  context: Context,
  trace: TraceView,
  isChosen: boolean,
): Promise<MachineView | undefined> {
  const state = context.store.getState();
  const { configuration: shown, builtIn } = state;
  if (!shown) return undefined;
  const isGiven =
    builtIn !== undefined && builtInTrace(builtIn)?.given !== undefined;
  const configuration = isChosen || isGiven ? shown : withGivenOf(shown);
  const { os } = configuration.setup;
  const isWanted =
    isAsRecorded(os) || (!isChosen && isUsual(state, configuration));
  const isRecorded = trace.recorded !== undefined && isWanted;
  if (!isRecorded && !isAsRecorded(os) && configuration === shown)
    return undefined;
  const { machine } = configuration.setup;
  const plain = withoutRecorded(os);
  if (!isRecorded) return configureMapping(context, configuration, plain);
  try {
    const recorded = withPages(os, machine, "recorded");
    return await configureMapping(context, configuration, recorded);
  } catch (thrown) {
    const error = engineError(thrown);
    if (isFatal(error) || error.code === "cancelled") throw error;
    notifyError(context, error, {
      before: "The page sizes of the recording are not used: ",
      kind: "setup",
    });
    return configureMapping(context, configuration, plain);
  }
}

/** Whether memory has the mapping that the machine begins with. A model with a mapping of its own keeps it. */
function isUsual(state: AppState, { cpu, setup }: Configuration): boolean {
  const model = modelOf(state, cpu);
  if (model?.os !== undefined) return false;
  return same(setup.os, mappingOf(model, setup.machine));
}

async function configureMapping(
  context: Context,
  configuration: Configuration,
  os: OsConfig,
): Promise<MachineView> {
  const next = { ...configuration, setup: { ...configuration.setup, os } };
  const machine = await context.engine.call("configure", next.setup);
  set(context, { configuration: next });
  return machine;
}
