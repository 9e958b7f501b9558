/** The line of the source that makes the present access, and the walks of a line. */
import type { SourceView } from "../../engine/generated/SourceView";
import type { SourceLines } from "../../model/replay/source";
import type { Context } from "../context";
import { set } from "../context";
import { clear, notify } from "../notices";
import { reportErrors } from "../reportErrors";
import { goTo } from "./cursor";
import { nearestWalk } from "./lineWalks";
import { loadTimeline } from "./scene";

/** The lines before and after that of the access. */
const AROUND = 3;

/** Looks up the line of an instruction of the open trace. A newer request replaces this one. */
export async function showSource(context: Context, ip: string): Promise<void> {
  const { trace } = context.store.getState();
  if (!trace) return;
  await reportErrors(context, async () => {
    const view = await context.engine.call("sourceAt", { ip, most: AROUND });
    if (context.store.getState().trace !== trace) return;
    set(context, { source: { trace, ip, view: view ?? undefined } });
  });
}

/** Shows the next walk of a line of the open trace, or the one before; after the last, the first. */
export async function goToWalkOf(
  context: Context,
  { file }: Pick<SourceView, "file">,
  line: SourceLines["line"],
  direction: 1 | -1,
): Promise<void> {
  const { trace, cursor, stale } = context.store.getState();
  if (!trace || stale) return;
  clear(context, "find");
  const { signal } = context.scene;
  await reportErrors(context, async () => {
    const access = await nearestWalk(context.engine, {
      only: { by: "line", file, line },
      at: cursor,
      n: trace.n_accesses,
      direction,
    });
    if (signal.aborted) return;
    if (access !== undefined) await goTo(context, access);
    else
      notify(context, {
        tone: "note",
        kind: "find",
        text: `No access of line ${line} walks on this machine.`,
      });
    // The search may have replaced the timeline of the picture.
    await loadTimeline(context, signal);
  });
}
