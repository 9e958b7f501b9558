import type { Context } from "../context";
import { set } from "../context";

/**
 * Fetches what the first picture does not need: the whole simulator, and the sources of the CPU models, which the small
 * module leaves out. After a failure, the code that needs it retries and reports.
 */
export async function loadRest(context: Context): Promise<void> {
  const { engine, store } = context;
  const { cpus } = store.getState();
  if (cpus.some(({ provenance }) => provenance.length > 0)) return;
  try {
    await engine.call("prefetch", {});
    set(context, { cpus: await engine.call("cpus", {}) });
  } catch {
    // Nothing on the screen waits for it.
  }
}
