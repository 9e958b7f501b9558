import type { Context } from "../context";
import { set } from "../context";

/**
 * Fetches what the first picture does not need: the whole simulator, with the sources of the CPU models'
 * numbers. After a failure, the code that needs it retries and reports.
 */
export async function loadRest(context: Context): Promise<void> {
  try {
    await context.engine.prefetch();
    set(context, { cpus: await context.engine.cpus() });
  } catch {
    // Nothing on the screen waits for it.
  }
}
