/** The first screen: a newcomer watches one walk in the replay, step by step. */
import type { Context } from "../context";
import { set } from "../context";
import { replayPage } from "../selectors";

/**
 * The first access of an example whose pages the system has mapped. Every TLB and walk cache is empty, so the walk
 * reads all levels.
 */
export const WATCHED = { trace: "first", access: 0 } as const;

/** Anything else that opens ends the first screen for good. */
export function leaveWelcome(context: Context): void {
  const { welcome, plain } = context.store.getState();
  if (!welcome) return;
  set(context, { welcome: false });
  context.settings.keepWelcome();
  context.settings.keepPlain(plain);
}

export function showWelcome(context: Context): void {
  const { choices, trace } = context.store.getState();
  if (trace) context.beforeWelcome = replayPage(context.store.getState());
  set(context, {
    screen: "replay",
    welcome: true,
    choices: { ...choices, replay: {} },
    showsImport: false,
    playing: false,
  });
}
