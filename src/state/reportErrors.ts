/** Runs an action and reports its errors; after a crash it recovers the app. */
import { isFatal } from "../engine/errors";
import type { EngineError } from "../engine/engine";
import type { Context } from "./context";
import { set } from "./context";
import { engineError, notifyError } from "./notices";
import type { Around } from "./notices";

export async function reportErrors(
  context: Context,
  work: () => Promise<void>,
  around: Around = {},
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    await failed(context, engineError(thrown), around);
  }
}

async function failed(
  context: Context,
  error: EngineError,
  around: Around,
): Promise<void> {
  if (error.code === "cancelled") return;
  if (isFatal(error)) {
    const { recover } = await import("./start/recover");
    return recover(context, error);
  }
  notifyError(context, error, around);
  const { task } = context.store.getState();
  if (task) set(context, { task: undefined });
}
