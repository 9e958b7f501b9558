/** The structure of the machine that the user selected. */
import type { Context } from "../context";
import { set } from "../context";

/**
 * Shows a structure whatever the access uses. Without one, or if the machine lacks it, the picture follows
 * the access.
 */
export function pin(context: Context, structure: number | undefined): void {
  const { machine } = context.store.getState();
  const isThere =
    structure !== undefined && machine?.structures[structure] !== undefined;
  set(context, { pinned: isThere ? { machine, structure } : undefined });
}
