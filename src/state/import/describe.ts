/** Copies of /proc/PID/maps and smaps beside the open trace: they name its memory, and say which pages it has. */
import { memoryNote } from "../../model/import/memoryNote";
import { followRecording } from "../config/recorded";
import type { Context } from "../context";
import { clear, notify } from "../notices";
import { beginScene, playScene, showTrace } from "../replay/scene";
import { reportErrors } from "../reportErrors";
import type { AppState } from "../store";
import { keep } from "./keptActions";

/** Returns whether a recording of the user's is open, which a memory map can describe. */
export function isDescribable({
  trace,
  builtIn,
  workload,
}: Pick<AppState, "trace" | "builtIn" | "workload">): boolean {
  if (!trace || builtIn !== undefined || workload) return false;
  return !["loop", "code"].includes(trace.import.format);
}

/** Adds the memory of a process to the open trace, which stays at its access. */
export async function describeTrace(
  context: Context,
  { file, name }: { readonly file: Blob; readonly name: string },
): Promise<void> {
  clear(context, "import");
  await reportErrors(
    context,
    async () => {
      const before = context.store.getState();
      if (!before.trace) return;
      const view = await context.engine.call("describe", {
        file,
        name: before.trace.name,
      });
      const { cursor, window } = context.store.getState();
      context.openAt = cursor;
      const signal = beginScene(context);
      showTrace(context, view, { window });
      void keep(context, view, Promise.resolve(undefined));
      const machine = await followRecording(context, view, false);
      notify(context, {
        tone: "note",
        kind: "import",
        text: memoryNote(name, view),
      });
      await playScene(context, signal, machine);
    },
    { before: `${name}: `, kind: "import" },
  );
}
