/** Runs an action and tells what went wrong; after a crash it puts the app back on its feet. */
import { isFatal } from "../engine/errors";
import type { EngineError } from "../engine/engine";
import type { Context } from "./context";
import { set } from "./context";
import { engineError, tellError } from "./notices";
import { recover } from "./recover";

export async function guard(
  context: Context,
  work: () => Promise<void>,
  prefix = "",
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    await failed(context, engineError(thrown), prefix);
  }
}

async function failed(
  context: Context,
  error: EngineError,
  prefix: string,
): Promise<void> {
  if (error.code === "cancelled") return;
  if (isFatal(error)) return recover(context, error);
  tellError(context, error, { before: prefix });
  const { task } = context.store.getState();
  if (task) set(context, { task: undefined });
}
