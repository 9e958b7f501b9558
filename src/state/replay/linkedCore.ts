/** The core whose TLBs a link shows. */
import { CORE_OF } from "../../model/config/cores";
import type { Cores } from "../../engine/generated/Cores";
import type { Context } from "../context";
import { stopIfAborted } from "../context";
import { goTo, showCore } from "./cursor";
import { notify } from "../notices";
import { runSpanOf } from "./runWindow";

/** Shows a core of the open machine and trace; a note says if it does not exist. */
export async function showLinkedCore(
  context: Context,
  core: number,
): Promise<void> {
  const { cores: by = "one", window } =
    context.store.getState().configuration?.setup ?? {};
  if (by !== "one" && (await isUsed(context, by, core)))
    return showCore(context, core);
  notify(context, {
    tone: "note",
    text:
      by === "one"
        ? `The link shows core ${core}, but this machine has only one core, which is shown.`
        : `The link shows ${CORE_OF[by]} ${core}, which makes no access in ${window ? "the simulated part" : "this trace"}. The core of each access is shown.`,
  });
}

/** Whether the core makes an access: up to the shown one, otherwise anywhere in the simulated part. */
async function isUsed(
  context: Context,
  by: Exclude<Cores, "one">,
  core: number,
): Promise<boolean> {
  const { engine, store } = context;
  const { signal } = context.scene;
  const { trace, snapshot } = store.getState();
  const known = snapshot?.step.cores ?? [];
  if (known.some((each) => each.core === core)) return true;
  const n = by === "tid" ? trace?.threads : trace?.cpus;
  if (!trace || known.length >= (n ?? 0)) return false;
  const { from, to } = runSpanOf(store.getState()).simulated;
  if (to <= from) return false;
  const { step } = await engine.call("seek", { index: to - 1 });
  stopIfAborted(signal);
  // Meanwhile the user may have moved, or opened another trace.
  await goTo(context, store.getState().cursor);
  stopIfAborted(signal);
  return step.cores?.some((each) => each.core === core) ?? false;
}
