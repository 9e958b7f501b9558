/** Changes of the setup, one after the other: each is made of what the one before has left. */
import type { EngineError, Setup } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import { applyPatch, patchFrom } from "../../model/shared/mergePatch";
import type { Json } from "../../model/shared/mergePatch";
import { sameConfiguration } from "./configurations";
import type { Context } from "../context";
import { set } from "../context";
import { guard } from "../guard";
import { clear, engineError } from "../notices";
import { beginScene, playScene } from "../replay/scene";
import type { AppState } from "../store";
import type { Configuration } from "./configurations";

/** Configurations that can be gone back to. */
const DEPTH = 100;

/** What is configured from now on, and what can be gone back and forward to. */
export type Change = Pick<AppState, "past" | "future"> & {
  readonly configuration: Configuration;
};

/** What a change makes of what is configured when its turn comes; `undefined` changes nothing. */
export type Changing = (state: AppState) => Change | undefined;

/**
 * Configures the engine and shows the trace anew. A configuration that the engine refuses changes
 * nothing and comes back as its error, for the field where it was typed.
 */
export async function change(
  context: Context,
  changing: Changing,
): Promise<EngineError | undefined> {
  clear(context, "find");
  let refused: EngineError | undefined;
  const answer = async () => {
    const next = changing(context.store.getState());
    if (!next) return undefined;
    const machine = await context.engine
      .configure(next.configuration.setup)
      .catch((thrown: unknown) => {
        refused = engineError(thrown);
        if (isFatal(refused)) throw refused;
        return undefined;
      });
    if (!machine) return undefined;
    const signal = beginScene(context);
    clear(context, "setup");
    set(context, next);
    return { machine, signal };
  };
  await guard(context, async () => {
    const answered = context.configuring.then(answer);
    context.configuring = answered.catch(() => undefined);
    const scene = await answered;
    if (scene) await playScene(context, scene.signal, scene.machine);
  });
  return refused;
}

/** Another configuration, which can be undone; `undefined` where it is what there is. */
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
 * A part of a setup, chosen while another setup was shown than there is now: only what it changed there is changed.
 * A part that is as it was shown is wanted so.
 */
export function rebased(shown: Setup, part: Partial<Setup>, now: Setup): Setup {
  const wanted = { ...shown, ...part };
  if (shown === now) return wanted;
  const patch = patchFrom(json(shown), json(wanted));
  return patch === undefined
    ? { ...now, ...part }
    : (applyPatch(json(now), patch) as unknown as Setup);
}

/** A setup is JSON; its type only lacks the index that says so. */
const json = (setup: Setup) => setup as unknown as Json;
