import type { Context } from "../context";

/**
 * Fetches what the first picture does not need: the whole simulator. After a failure, the code that needs it
 * retries and reports.
 */
export async function loadRest({ engine }: Context): Promise<void> {
  try {
    await engine.call("prefetch", {});
  } catch {
    // Nothing on the screen waits for it.
  }
}
