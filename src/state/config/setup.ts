/** Changing the machine and the mapping; every accepted change can be undone. */
import { EngineError } from "../../engine/engine";
import type { Setup } from "../../engine/engine";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { smallestPage } from "../../model/config/defaults";
import { PLAIN_OS } from "../../model/permalink/permalink";
import { withPolicy } from "../../model/config/pagePolicies";
import { windowProblem } from "../../model/shared/runWindow";
import { becoming, change, rebased } from "./changes";
import { modelOf } from "./configurations";
import type { Context } from "../context";
import { set } from "../context";
import { tellError } from "../notices";
import { withWindow } from "../replay/runWindow";
import type { Configuration } from "./configurations";

/** Resolves when the change is on the screen, or with the reason why it was refused. */
export function configure(
  context: Context,
  configuration: Configuration,
): Promise<EngineError | undefined> {
  return change(context, (state) => becoming(state, configuration));
}

/** The same for a part of the setup; the CPU model that it came from stays. */
export async function configureSetup(
  context: Context,
  part: Partial<Setup>,
): Promise<EngineError | undefined> {
  const { configuration: shown } = context.store.getState();
  if (!shown) return undefined;
  return change(context, (state) => {
    const { configuration: now = shown } = state;
    const setup = rebased(shown.setup, part, now.setup);
    return becoming(state, { ...now, setup });
  });
}

export async function chooseCpu(context: Context, id: string): Promise<void> {
  const model = modelOf(context.store.getState(), id);
  if (!model) return;
  const { machine } = model;
  const refused = await change(context, (state) => {
    const setup = { os: PLAIN_OS, ...state.configuration?.setup, machine };
    return becoming(state, { cpu: id, setup });
  });
  if (refused && isAboutMapping(refused))
    await chooseWithoutMapping(context, id, machine, refused);
  else if (refused) tellError(context, refused, { kind: "setup" });
}

/** True if not the machine was refused but how memory is mapped on it. */
export function isAboutMapping({ at }: EngineError): boolean {
  return at !== undefined && "field" in at && at.field.startsWith("os");
}

/** True if what was refused is the part of the trace that is counted. */
export function isAboutWindow({ at }: EngineError): boolean {
  return at !== undefined && "field" in at && at.field.startsWith("window");
}

/** A machine need not have the page sizes of the mapping: then it starts with its smallest pages and no host, and says why. */
async function chooseWithoutMapping(
  context: Context,
  cpu: string,
  machine: MachineConfig,
  why: EngineError,
): Promise<void> {
  const smallest = smallestPage(machine);
  const os = { ...PLAIN_OS, default: smallest };
  const refused = await change(context, (state) =>
    becoming(state, {
      cpu,
      setup: { ...state.configuration?.setup, machine, os },
    }),
  );
  const after = ` Memory was set to native pages of ${smallest}.`;
  if (refused) tellError(context, refused, { kind: "setup" });
  else tellError(context, why, { after, kind: "setup" });
}

/** The same, for a picker: what is refused is told, as no field can say it. */
export async function choose(
  context: Context,
  part: Partial<Setup>,
): Promise<void> {
  const refused = await configureSetup(context, part);
  if (refused) tellError(context, refused, { kind: "setup" });
}

/** One policy for everything; regions of their own are given up (and come back with undo). */
export async function choosePages(
  context: Context,
  pages: OsConfig["default"],
): Promise<void> {
  const refused = await change(context, (state) => {
    const { configuration } = state;
    if (!configuration) return undefined;
    const { setup } = configuration;
    const os = withPolicy(setup.os, pages);
    return becoming(state, { ...configuration, setup: { ...setup, os } });
  });
  if (refused) tellError(context, refused, { kind: "setup" });
}

/** Counts only a part of the trace; `undefined` counts all of it. Resolves with the reason if it cannot be. */
export async function setRunWindow(
  context: Context,
  window: RunWindow | undefined,
): Promise<EngineError | undefined> {
  const { trace } = context.store.getState();
  if (!trace) return undefined;
  const problem = window && windowProblem(window, trace.n_accesses);
  if (problem)
    return new EngineError("bad-config", problem.message, {
      field: `window.${problem.field}`,
    });
  return change(context, (state) => {
    const { configuration } = state;
    return configuration && becoming(state, withWindow(configuration, window));
  });
}

function dropDrafts(context: Context): void {
  set(context, { revision: context.store.getState().revision + 1 });
}

/** Back to the CPU model as it ships; the mapping stays. */
export async function resetMachine(context: Context): Promise<void> {
  dropDrafts(context);
  await context.configuring;
  const { configuration } = context.store.getState();
  if (configuration) await chooseCpu(context, configuration.cpu);
}

export async function undo(context: Context): Promise<void> {
  dropDrafts(context);
  const refused = await change(context, ({ configuration, past, future }) => {
    const before = past.at(-1);
    if (!before || !configuration) return undefined;
    return {
      configuration: before,
      past: past.slice(0, -1),
      future: [configuration, ...future],
    };
  });
  if (refused) tellError(context, refused, { kind: "setup" });
}

export async function redo(context: Context): Promise<void> {
  dropDrafts(context);
  const refused = await change(context, ({ configuration, past, future }) => {
    const [next, ...rest] = future;
    if (!next || !configuration) return undefined;
    return {
      configuration: next,
      past: [...past, configuration],
      future: rest,
    };
  });
  if (refused) tellError(context, refused, { kind: "setup" });
}
