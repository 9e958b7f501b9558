/** The gallery of experiments: which experiment is open, and runs of experiments, which do not change the replay. */
import { isFatal } from "../../engine/errors";
import type { ExperimentState } from "../../model/experiments/state";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { engineError } from "../notices";

/** Loads the list of experiments once. */
export function loadExperiments(context: Context): Promise<void> {
  return reportErrors(context, async () => {
    if (context.store.getState().experiments) return;
    set(context, { experiments: await context.engine.call("experiments", {}) });
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
      const result = await context.engine.start(
        "experiment",
        { id },
        {
          signal: abort.signal,
          onProgress: (progress) => {
            if (!abort.signal.aborted)
              put(context, id, { status: "running", progress });
          },
        },
      );
      put(context, id, { status: "done", result });
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

export function cancelExperiment(context: Context, id: string): void {
  context.experiments.get(id)?.abort();
}

export function cancelExperiments(context: Context): void {
  for (const abort of context.experiments.values()) abort.abort();
}

function put(context: Context, id: string, state: ExperimentState): void {
  const { experimentStates } = context.store.getState();
  set(context, { experimentStates: { ...experimentStates, [id]: state } });
}
