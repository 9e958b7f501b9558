/** Runs the user's loop and imports the trace that it makes. */
import { loopName, NOT_LOADED } from "../../model/loop/loop";
import type { LoopProblem, LoopRun, LoopState } from "../../model/loop/loop";
import type { Context } from "../context";
import { set } from "../context";
import { importFile } from "../import/traceActions";

/** Runs the code; its accesses become the open trace, while the screen stays. */
export async function runLoop(context: Context): Promise<void> {
  const { loop } = context.store.getState();
  if (!loop) return;
  context.loopRun?.abort();
  const abort = new AbortController();
  context.loopRun = abort;
  const { code } = loop;
  const name = loopName(loop.name);
  const isCurrent = () => context.loopRun === abort;
  const show = (run: LoopRun | undefined) => {
    const now: LoopState | undefined = context.store.getState().loop;
    if (now && isCurrent()) set(context, { loop: { ...now, run } });
  };
  show({ status: "running", accesses: 0 });
  const made = await context.loops
    .run(code, {
      signal: abort.signal,
      onProgress: (accesses) => show({ status: "running", accesses }),
    })
    .catch((): LoopProblem => ({ message: NOT_LOADED }));
  if (!made) {
    show(undefined);
    return;
  }
  if ("message" in made) {
    show({ status: "failed", problem: made });
    return;
  }
  const { file, result } = made;
  await importFile(context, {
    file,
    name,
    code,
    screen: "loop",
    onRead: () => show({ status: "done", code, result }),
    onRejected: ({ message }) => {
      show({ status: "failed", problem: { message } });
      return true;
    },
  });
  // Cancelled while the trace was read.
  if (context.store.getState().loop?.run?.status === "running") show(undefined);
}

export function cancelLoop(context: Context): void {
  context.loopRun?.abort();
  const { loop } = context.store.getState();
  // An import from elsewhere continues.
  if (loop?.run?.status === "running") context.import?.abort();
}
