/** The structure of the machine that the user looks at. */
import type { Context } from "../context";
import { set } from "../context";

/** Shows a structure of the machine whatever the access uses; without one, or one that it lacks, the access is followed. */
export function pin(context: Context, structure: number | undefined): void {
  const { machine } = context.store.getState();
  const isThere =
    structure !== undefined && machine?.structures[structure] !== undefined;
  set(context, { pinned: isThere ? { machine, structure } : undefined });
}
