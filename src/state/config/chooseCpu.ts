import type { Context } from "../context";
import { openBuiltIn } from "../import/traceActions";
import { traceFor } from "../import/traces";
import { changeCpu } from "./setup";

/** Changes the CPU model. The example of a small machine replaces another example, and no trace of the user's. Code stays open: it runs its own programs. */
export async function chooseCpu(context: Context, id: string): Promise<void> {
  const { builtIn, configuration, screen } = context.store.getState();
  const own = traceFor(id);
  const isReplaced = builtIn !== undefined && builtIn !== own?.id;
  if (own && isReplaced && configuration?.cpu !== id)
    return openBuiltIn(context, own, screen === "code" ? screen : undefined);
  return changeCpu(context, id);
}
