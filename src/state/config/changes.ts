/** Changes of the setup in sequence: each starts from the result of the previous one. */
import type { EngineError, Setup } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import { applyPatch, patchFrom } from "../../model/shared/mergePatch";
import type { Json } from "../../model/shared/mergePatch";
import { sameConfiguration } from "./configurations";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { clear, engineError } from "../notices";
import { beginScene, playScene } from "../replay/scene";
import type { AppState } from "../store";
import type { Configuration } from "./configurations";

/** Configurations that undo and redo can return to. */
const DEPTH = 100;

/** The new configuration, with the histories of undo and redo. */
export type Change = Pick<AppState, "past" | "future"> & {
  readonly configuration: Configuration;
};

/** Computes a new setup from the current one when its turn comes; `undefined` changes nothing. */
export type Changing = (state: AppState) => Change | undefined;

/**
 * Configures the engine and shows the trace again. A rejected configuration changes nothing; its error is
 * returned for the field that caused it. A change that is not good is dropped in its turn.
 */
export async function change(
  context: Context,
  changing: Changing,
  isGood?: Promise<boolean>,
): Promise<EngineError | undefined> {
  clear(context, "find");
  let rejected: EngineError | undefined;
  const answer = async () => {
    if (isGood && !(await isGood)) return undefined;
    const next = changing(context.store.getState());
    if (!next) return undefined;
    const machine = await context.engine
      .call("configure", next.configuration.setup)
      .catch((thrown: unknown) => {
        rejected = engineError(thrown);
        if (isFatal(rejected)) throw rejected;
        return undefined;
      });
    if (!machine) return undefined;
    const signal = beginScene(context);
    clear(context, "setup");
    set(context, next);
    return { machine, signal };
  };
  await reportErrors(context, async () => {
    const answered = context.configuring.then(answer);
    context.configuring = answered.catch(() => undefined);
    const scene = await answered;
    if (scene) await playScene(context, scene.signal, scene.machine);
  });
  return rejected;
}

/** Applies another configuration that can be undone; `undefined` if it equals the current one. */
export function becoming(
  { configuration: before, past }: AppState,
  configuration: Configuration,
): Change | undefined {
  if (before && sameConfiguration(before, configuration)) return undefined;
  return {
    configuration,
    past: before ? [...past, before].slice(-DEPTH) : past,
    future: [],
  };
}

/**
 * Merges a part of a setup that the user chose while another setup was shown. Only the user's changes apply;
 * values as shown are taken as wanted.
 */
export function rebased(shown: Setup, part: Partial<Setup>, now: Setup): Setup {
  const wanted = { ...shown, ...part };
  if (shown === now) return wanted;
  const patch = patchFrom(json(shown), json(wanted));
  return patch === undefined
    ? { ...now, ...part }
    : (applyPatch(json(now), patch) as unknown as Setup);
}

/** A setup is JSON; its type only lacks the index signature. */
const json = (setup: Setup) => setup as unknown as Json;
