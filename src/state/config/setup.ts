/** Changes to the machine and the mapping; every accepted change can be undone. */
import { EngineError } from "../../engine/engine";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { Setup } from "../../engine/engine";
import type { CoreError } from "../../engine/generated/CoreError";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { RunWindow } from "../../engine/generated/RunWindow";
import { isSmallMachine, mappingOf } from "../../model/config/cpus";
import { mappingWithDefaults } from "../../model/config/defaults";
import { withPages } from "../../model/config/pagePolicies";
import { withWalkCaches } from "../../model/config/walkCaches";
import { windowProblem } from "../../model/shared/runWindow";
import { becoming, change, rebased } from "./changes";
import { modelOf } from "./configurations";
import type { Context } from "../context";
import { set } from "../context";
import { notifyError } from "../notices";
import { withWindow } from "../replay/runWindow";
import { restorableCaches } from "../selectors";
import type { AppState } from "../store";
import type { Configuration } from "./configurations";

/** Resolves when the change is on the screen, or with the reason if it was rejected. */
export function configure(
  context: Context,
  configuration: Configuration,
): Promise<EngineError | undefined> {
  return change(context, (state) => becoming(state, configuration));
}

/** Changes the machine; its CPU model stays. Resolves with everything that is wrong with it. */
export async function configureMachine(
  context: Context,
  machine: MachineConfig,
): Promise<readonly Rejection[]> {
  // If the check cannot be loaded, the core still checks what it configures.
  const checked: Promise<readonly Rejection[]> = context.engine
    .call("checkMachine", machine)
    .catch(() => []);
  const isGood = checked.then((problems) => problems.length === 0);
  const applied = rejections(configureSetup(context, { machine }, isGood));
  const problems = await checked;
  return problems.length > 0 ? problems : applied;
}

/**
 * Changes the memory mapping. Resolves with the reason if it was rejected. A script may leave fields out, also those of
 * the host.
 */
export function configureMapping(
  context: Context,
  os: Partial<OsConfig>,
): Promise<readonly Rejection[]> {
  const whole = mappingWithDefaults(os);
  return rejections(configureSetup(context, { os: whole }));
}

/** What is wrong with a configuration: the core's error, or that of the engine. */
type Rejection = Pick<CoreError, "message" | "at">;

async function rejections(
  rejected: Promise<EngineError | undefined>,
): Promise<readonly Rejection[]> {
  const error = await rejected;
  if (!error) return [];
  const { message, at } = error;
  return [{ message, ...(at && { at }) }];
}

/** Changes a part of the setup, unless it proves wrong; its CPU model stays. */
export async function configureSetup(
  context: Context,
  part: Partial<Setup>,
  isGood?: Promise<boolean>,
): Promise<EngineError | undefined> {
  const { configuration: shown } = context.store.getState();
  if (!shown) return undefined;
  const changing = (state: AppState) => {
    const { configuration: now = shown } = state;
    const setup = rebased(shown.setup, part, now.setup);
    return becoming(state, { ...now, setup });
  };
  return change(context, changing, isGood);
}

/** Changes the machine to that of a CPU model; the mapping stays if it fits. */
export async function changeCpu(context: Context, id: string): Promise<void> {
  const model = modelOf(context.store.getState(), id);
  if (!model) return;
  const { machine } = model;
  const rejected = await change(context, (state) => {
    const { configuration: before } = state;
    const left = before && modelOf(state, before.cpu);
    const setup = {
      os: mappingOf(model, machine),
      ...before?.setup,
      machine,
      // A small machine has its own pages and tables, which fit no other machine.
      ...(left?.id !== model.id &&
        [left, model].some((each) => each && isSmallMachine(each)) && {
          os: mappingOf(model, machine),
        }),
    };
    return becoming(state, { cpu: id, setup });
  });
  if (rejected && isAboutMapping(rejected))
    await chooseWithoutMapping(context, id, machine, rejected);
  else if (rejected) notifyError(context, rejected, { kind: "setup" });
}

/** Returns whether the memory mapping was rejected, and not the machine. */
export function isAboutMapping({ at }: EngineError): boolean {
  return at !== undefined && "field" in at && at.field.startsWith("os");
}

/** Returns whether the counted part of the trace was rejected. */
export function isAboutWindow({ at }: EngineError): boolean {
  return at !== undefined && "field" in at && at.field.startsWith("window");
}

/**
 * A machine may lack the page sizes of the mapping. It then starts with its smallest pages and no host, and a
 * notice says why.
 */
async function chooseWithoutMapping(
  context: Context,
  cpu: string,
  machine: MachineConfig,
  why: EngineError,
): Promise<void> {
  const os = mappingOf(undefined, machine);
  const rejected = await change(context, (state) =>
    becoming(state, {
      cpu,
      setup: { ...state.configuration?.setup, machine, os },
    }),
  );
  const after = ` Memory was set to native pages of ${os.default}.`;
  if (rejected) notifyError(context, rejected, { kind: "setup" });
  else notifyError(context, why, { after, kind: "setup" });
}

/** Applies a picker's choice; an error becomes a notice, since a picker has no place for it. */
export async function choose(
  context: Context,
  part: Partial<Setup>,
): Promise<void> {
  const rejected = await configureSetup(context, part);
  if (rejected) notifyError(context, rejected, { kind: "setup" });
}

/**
 * Turns all walk caches on or off; the rest of the machine stays. "On" restores what there was before it was
 * turned off.
 */
export async function setWalkCaches(
  context: Context,
  isOn: boolean,
): Promise<void> {
  const rejected = await change(context, (state) => {
    const { configuration } = state;
    if (!configuration) return undefined;
    const { setup } = configuration;
    const caches = isOn ? restorableCaches(state) : { psc: {} };
    if (!caches) return undefined;
    const machine = withWalkCaches(setup.machine, caches);
    return becoming(state, { ...configuration, setup: { ...setup, machine } });
  });
  if (rejected) notifyError(context, rejected, { kind: "setup" });
}

/**
 * Sets one policy for all memory, or the page sizes of the recording; removes regions with their own policy (undo
 * restores them).
 */
export async function choosePages(
  context: Context,
  pages: PagePolicy,
): Promise<void> {
  const rejected = await change(context, (state) => {
    const { configuration } = state;
    if (!configuration) return undefined;
    const { setup } = configuration;
    const os = withPages(setup.os, setup.machine, pages);
    return becoming(state, { ...configuration, setup: { ...setup, os } });
  });
  if (rejected) notifyError(context, rejected, { kind: "setup" });
}

/**
 * Counts only a part of the trace; `undefined` counts all of it. Resolves with the reason if that is not
 * possible.
 */
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

/** Restores the CPU model's machine; the mapping stays. */
export async function resetMachine(context: Context): Promise<void> {
  dropDrafts(context);
  await context.configuring;
  const { configuration } = context.store.getState();
  if (configuration) await changeCpu(context, configuration.cpu);
}

export async function undo(context: Context): Promise<void> {
  dropDrafts(context);
  const rejected = await change(context, ({ configuration, past, future }) => {
    const before = past.at(-1);
    if (!before || !configuration) return undefined;
    return {
      configuration: before,
      past: past.slice(0, -1),
      future: [configuration, ...future],
    };
  });
  if (rejected) notifyError(context, rejected, { kind: "setup" });
}

export async function redo(context: Context): Promise<void> {
  dropDrafts(context);
  const rejected = await change(context, ({ configuration, past, future }) => {
    const [next, ...rest] = future;
    if (!next || !configuration) return undefined;
    return {
      configuration: next,
      past: [...past, configuration],
      future: rest,
    };
  });
  if (rejected) notifyError(context, rejected, { kind: "setup" });
}
