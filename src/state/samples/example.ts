/** The example of the screen Samples, on an engine of its own. */
import { SAMPLES_EXAMPLE } from "../import/traces";
import type { Context } from "../context";
import { set } from "../context";

/** Opens the example once. If that fails, the screen says how to record samples, and the next visit tries again. */
export async function openSamplesExample(context: Context): Promise<void> {
  const { samplesExample } = context.store.getState();
  if (context.samplesEngine || typeof samplesExample === "object") return;
  const engine = context.sideEngine();
  context.samplesEngine = engine;
  const isCurrent = () => context.samplesEngine === engine;
  try {
    const file = await context.fetchTrace(SAMPLES_EXAMPLE);
    const { title: name } = SAMPLES_EXAMPLE;
    const trace = await engine.start("import", { file, name });
    if (isCurrent()) set(context, { samplesExample: trace });
  } catch {
    if (!isCurrent()) return;
    closeSamplesExample(context);
    set(context, { samplesExample: "failed" });
  }
}

/** Frees the memory of the example. */
export function closeSamplesExample(context: Context): void {
  context.samplesEngine?.dispose();
  context.samplesEngine = undefined;
  set(context, { samplesExample: undefined });
}
