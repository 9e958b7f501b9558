/** The window of a run: the simulated and counted part of the trace. It belongs to its trace. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { runSpan } from "../../model/shared/runWindow";
import type { RunSpan } from "../../model/shared/runWindow";
import type { Context } from "../context";
import { set } from "../context";
import type { AppState } from "../store";
import type { Configuration } from "../config/configurations";

/** The part of the trace that is simulated and counted now. */
export function runSpanOf({
  configuration,
  trace,
}: Pick<AppState, "configuration" | "trace">): RunSpan {
  return runSpan(configuration?.setup.window, trace?.n_accesses ?? 0);
}

export function withWindow(
  configuration: Configuration,
  window: RunWindow | undefined,
): Configuration {
  const setup = { ...configuration.setup };
  delete setup.window;
  return {
    ...configuration,
    setup: { ...setup, ...(window && { window }) },
  };
}

/**
 * A new trace starts with a run of all of it, or of the link's window. Returns the machine's view if the
 * engine had to be configured.
 */
export async function resetWindow(
  context: Context,
  wanted?: RunWindow,
): Promise<MachineView | undefined> {
  const { configuration, past, future } = context.store.getState();
  const all = [...past, ...future, ...(configuration ? [configuration] : [])];
  const isSet = all.some(({ setup }) => setup.window);
  if (!configuration || (!isSet && !wanted)) return undefined;
  const without = (each: Configuration) => withWindow(each, undefined);
  const next = withWindow(configuration, wanted);
  const machine = await context.engine.call("configure", next.setup);
  set(context, {
    configuration: next,
    past: past.map(without),
    future: future.map(without),
  });
  return machine;
}
