import type { Context } from "../context";
import { set } from "../context";

/**
 * Fetches what the first picture does not need: the whole simulator, and with it where the numbers
 * of the CPU models come from. After a failure whatever needs it asks again, and then says so.
 */
export async function loadRest(context: Context): Promise<void> {
  try {
    await context.engine.prefetch();
    set(context, { cpus: await context.engine.cpus() });
  } catch {
    // Nothing on the screen waits for it.
  }
}
