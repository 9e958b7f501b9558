/** Changing the machine and the mapping; every accepted change can be undone. */
import { EngineError } from "../engine/engine";
import type { Setup } from "../engine/engine";
import { isFatal } from "../engine/errors";
import type { MachineConfig } from "../engine/generated/MachineConfig";
import type { OsConfig } from "../engine/generated/OsConfig";
import type { RunWindow } from "../engine/generated/RunWindow";
import { smallestPage } from "../model/machineDefaults";
import { PLAIN_OS } from "../model/permalink";
import { applyPatch, patchFrom } from "../model/permalinkPatch";
import type { Json } from "../model/permalinkPatch";
import { withPolicy } from "../model/policies";
import { windowProblem } from "../model/runWindow";
import { modelOf, sameConfiguration } from "./configurations";
import type { Context } from "./context";
import { set } from "./context";
import { guard } from "./guard";
import { clear, engineError, tellError } from "./notices";
import { withWindow } from "./runWindow";
import { beginScene, playScene } from "./scene";
import type { AppState, Configuration } from "./store";

/** Configurations that can be gone back to. */
const DEPTH = 100;

type History = Pick<AppState, "past" | "future">;

/** What was asked for last: a change that is not answered yet, else what is configured. */
function latest(context: Context): Configuration | undefined {
  return context.configuring ?? context.store.getState().configuration;
}

/**
 * Configures the engine and shows the trace anew. A configuration that the engine refuses changes
 * nothing and comes back as its error, for the field where it was typed.
 */
async function apply(
  context: Context,
  configuration: Configuration,
  history: (accepted: AppState) => History,
): Promise<EngineError | undefined> {
  clear(context, "find");
  let refused: EngineError | undefined;
  context.configuring = configuration;
  await guard(context, async () => {
    const machine = await context.engine
      .configure(configuration.setup)
      .catch((thrown: unknown) => {
        refused = engineError(thrown);
        if (isFatal(refused)) throw refused;
        return undefined;
      })
      .finally(() => {
        if (context.configuring === configuration)
          context.configuring = undefined;
      });
    if (!machine) return;
    const signal = beginScene(context);
    clear(context, "setup");
    set(context, { configuration, ...history(context.store.getState()) });
    await playScene(context, signal, machine);
  });
  return refused;
}

/** Resolves when the change is on the screen, or with the reason why it was refused. */
export async function configure(
  context: Context,
  configuration: Configuration,
): Promise<EngineError | undefined> {
  const asked = latest(context);
  if (asked && sameConfiguration(asked, configuration)) return undefined;
  return apply(context, configuration, ({ configuration: before, past }) => ({
    past: before ? [...past, before].slice(-DEPTH) : past,
    future: [],
  }));
}

/**
 * The same for a part of the setup; the CPU model that it came from stays. The part is a change of what is on the
 * screen: where an earlier change is not answered yet, both are asked for.
 */
export async function configureSetup(
  context: Context,
  part: Partial<Setup>,
): Promise<EngineError | undefined> {
  const { configuration: shown } = context.store.getState();
  const asked = latest(context);
  if (!shown || !asked) return undefined;
  const setup =
    asked === shown
      ? { ...shown.setup, ...part }
      : rebased(shown.setup, { ...shown.setup, ...part }, asked.setup);
  return configure(context, { ...asked, setup });
}

/** What leads from one setup to another, done to a third. */
function rebased(from: Setup, to: Setup, onto: Setup): Setup {
  const patch = patchFrom(json(from), json(to));
  return patch === undefined
    ? onto
    : (applyPatch(json(onto), patch) as unknown as Setup);
}

/** A setup is JSON; its type only lacks the index that says so. */
const json = (setup: Setup) => setup as unknown as Json;

export async function chooseCpu(context: Context, id: string): Promise<void> {
  const state = context.store.getState();
  const model = modelOf(state, id);
  if (!model) return;
  const setup = { os: PLAIN_OS, ...latest(context)?.setup };
  const { machine } = model;
  const refused = await configure(context, {
    cpu: id,
    setup: { ...setup, machine },
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
  const setup = { ...latest(context)?.setup, machine, os };
  const refused = await configure(context, { cpu, setup });
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
  const { configuration } = context.store.getState();
  const os = configuration?.setup.os ?? PLAIN_OS;
  await choose(context, { os: withPolicy(os, pages) });
}

/** Counts only a part of the trace; `undefined` counts all of it. Resolves with the reason if it cannot be. */
export async function setRunWindow(
  context: Context,
  window: RunWindow | undefined,
): Promise<EngineError | undefined> {
  const { trace } = context.store.getState();
  const configuration = latest(context);
  if (!configuration || !trace) return undefined;
  const problem = window && windowProblem(window, trace.n_accesses);
  if (problem)
    return new EngineError("bad-config", problem.message, {
      field: `window.${problem.field}`,
    });
  return configure(context, withWindow(configuration, window));
}

function dropDrafts(context: Context): void {
  set(context, { revision: context.store.getState().revision + 1 });
}

/** Back to the CPU model as it ships; the mapping stays. */
export async function resetMachine(context: Context): Promise<void> {
  dropDrafts(context);
  const configuration = latest(context);
  if (configuration) await chooseCpu(context, configuration.cpu);
}

export async function undo(context: Context): Promise<void> {
  dropDrafts(context);
  const { configuration, past, future } = context.store.getState();
  const before = past.at(-1);
  if (!before || !configuration) return;
  const refused = await apply(context, before, () => ({
    past: past.slice(0, -1),
    future: [configuration, ...future],
  }));
  if (refused) tellError(context, refused, { kind: "setup" });
}

export async function redo(context: Context): Promise<void> {
  dropDrafts(context);
  const { configuration, past, future } = context.store.getState();
  const [next, ...rest] = future;
  if (!next || !configuration) return;
  const refused = await apply(context, next, () => ({
    past: [...past, configuration],
    future: rest,
  }));
  if (refused) tellError(context, refused, { kind: "setup" });
}
