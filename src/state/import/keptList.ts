/** Opens, deletes and restores kept traces, from their list. */
import type { Context } from "../context";
import { set } from "../context";
import { clear, notify } from "../notices";
import { openScene } from "../replay/scene";
import { withWindow } from "../replay/runWindow";
import { reportErrors } from "../reportErrors";
import { screenForLater, screenOf } from "../screens";
import { find, keepError, loadKept, whyNot } from "./keptActions";

/** Opens a kept trace; after a failure the current one stays. */
export function openKept(context: Context, hash: string): Promise<void> {
  clear(context, "find");
  clear(context, "import");
  const showLater = screenForLater(context);
  return reportErrors(
    context,
    async () => {
      const found = await find(context, hash);
      if ("missing" in found) {
        notify(context, {
          tone: "error",
          kind: "import",
          text: `The trace cannot be opened: ${found.missing}`,
        });
        return loadKept(context);
      }
      const { configuration } = context.store.getState();
      if (!configuration) return;
      await openScene(context, {
        source: { kept: found },
        configuration: withWindow(configuration, undefined),
        openAt: "opening",
      });
      const { trace } = context.store.getState();
      if (trace) showLater({ screen: screenOf(trace) });
    },
    { kind: "import" },
  );
}

/** Deletes a kept trace. It can be restored until another is deleted. */
export async function deleteKept(
  context: Context,
  hash: string,
): Promise<void> {
  await change(context, async () => {
    const found = await context.kept.get(hash);
    await context.kept.remove(hash);
    context.deleted = found;
    set(context, { deleted: found?.trace });
  });
}

/** Restores the trace that was deleted last. */
export async function putBack(context: Context): Promise<void> {
  const { deleted } = context;
  if (!deleted) return;
  await change(
    context,
    async () => {
      await context.kept.put(deleted.trace, deleted.file);
      dropDeleted(context);
    },
    "The trace could not be restored",
  );
}

export async function deleteAllKept(context: Context): Promise<void> {
  dropDeleted(context);
  await change(context, () => context.kept.clear());
}

/** A deleted trace takes up space as long as it can be restored. */
function dropDeleted(context: Context): void {
  context.deleted = undefined;
  set(context, { deleted: undefined });
}

async function change(
  context: Context,
  work: () => Promise<void>,
  failed = "The trace could not be deleted",
): Promise<void> {
  try {
    await work();
    clear(context, "keep");
  } catch (thrown) {
    const why = whyNot(keepError(thrown));
    notify(context, {
      tone: "error",
      kind: "keep",
      text: `${failed}: ${why}`,
    });
  }
  await loadKept(context);
}
