import type { Context } from "../context";
import { set } from "../context";

/**
 * Fetches what the first picture does not need: the whole simulator, and the sources of the CPU models, which the small
 * module leaves out. After a failure, the code that needs it retries and reports.
 */
export async function loadRest(context: Context): Promise<void> {
  const { engine, store } = context;
  try {
    await engine.call("prefetch", {});
    const { cpus } = store.getState();
    if (cpus.every(({ provenance }) => provenance.length === 0))
      set(context, { cpus: await engine.call("cpus", {}) });
  } catch {
    // Nothing on the screen waits for it.
  }
}
