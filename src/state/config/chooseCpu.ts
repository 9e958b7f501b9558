import type { Context } from "../context";
import { openBuiltIn } from "../import/traceActions";
import { traceFor } from "../import/traces";
import { changeCpu } from "./setup";

/** Changes the CPU model. The example of a small machine replaces another example, and no trace of the user's. */
export async function chooseCpu(context: Context, id: string): Promise<void> {
  const { builtIn, configuration } = context.store.getState();
  const own = traceFor(id);
  const isReplaced = builtIn !== undefined && builtIn !== own?.id;
  if (own && isReplaced && configuration?.cpu !== id)
    return openBuiltIn(context, own);
  return changeCpu(context, id);
}
