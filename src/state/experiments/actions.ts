/** The gallery of experiments: which experiment is open, and runs of experiments, which do not change the replay. */
import { isFatal } from "../../engine/errors";
import type { ExperimentState } from "../../model/experiments/state";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { engineError } from "../notices";

/** Loads the shipped results once. Without them, the engine lists the experiments, which can still run. */
export function loadExperiments(context: Context): Promise<void> {
  return reportErrors(context, async () => {
    if (context.store.getState().experiments) return;
    try {
      const shipped = await context.shippedExperiments();
      set(context, { shipped, experiments: Object.values(shipped) });
    } catch {
      const experiments = await context.engine.call("experiments", {});
      set(context, { experiments });
    }
  });
}

/** Runs an experiment unless it is running; experiments run one after the other. */
export function runExperiment(context: Context, id: string): Promise<void> {
  if (context.experiments.has(id)) return Promise.resolve();
  const abort = new AbortController();
  context.experiments.set(id, abort);
  put(context, id, { status: "waiting" });
  return reportErrors(context, async () => {
    try {
      let began = context.clock.now();
      const result = await context.engine.start(
        "experiment",
        { id },
        {
          signal: abort.signal,
          onProgress: (progress) => {
            // An experiment that waits for another one has not begun.
            if (isWaiting(context, id)) began = context.clock.now();
            if (!abort.signal.aborted)
              put(context, id, { status: "running", progress });
          },
        },
      );
      const seconds = (context.clock.now() - began) / 1000;
      put(context, id, { status: "done", result, seconds });
    } catch (thrown) {
      const error = engineError(thrown);
      const isCancelled = error.code === "cancelled";
      put(
        context,
        id,
        isCancelled
          ? { status: "cancelled" }
          : { status: "failed", why: placed(error.message, error.at) },
      );
      // After a crash the replay must recover; other errors appear at the experiment.
      if (isFatal(error)) throw error;
    } finally {
      context.experiments.delete(id);
    }
  });
}

/** Runs all experiments without a result. */
export async function runExperiments(context: Context): Promise<void> {
  const { experiments = [], experimentStates } = context.store.getState();
  const missing = experiments.filter(
    ({ id }) => experimentStates[id]?.status !== "done",
  );
  await Promise.all(missing.map(({ id }) => runExperiment(context, id)));
}

function isWaiting({ store }: Context, id: string): boolean {
  return store.getState().experimentStates[id]?.status === "waiting";
}

function put(context: Context, id: string, state: ExperimentState): void {
  const { experimentStates } = context.store.getState();
  set(context, { experimentStates: { ...experimentStates, [id]: state } });
}
