/** Runs the loop of a link that shows its trace elsewhere than on the screen Loop. */
import { loopName, NOT_LOADED } from "../../model/loop/loop";
import type { LoopProblem } from "../../model/loop/loop";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { importFile } from "../import/traceActions";
import { notify, sentence } from "../notices";
import { showPrograms } from "./draft";

/** The trace opens where the link says. */
export async function runLinkedLoop(
  context: Context,
  link: Permalink,
  code: string,
): Promise<void> {
  const name = link.file ?? loopName("");
  showPrograms(context, [{ name: loopName(name), code }]);
  const abort = new AbortController();
  context.loopRuns.set(0, abort);
  set(context, { task: { kind: "start", label: "Running the loop" } });
  const made = await context.loops
    .run(code, { signal: abort.signal, onProgress: () => {} })
    .catch((): LoopProblem => ({ message: NOT_LOADED }));
  set(context, { task: undefined });
  if (!made) return;
  if ("message" in made) {
    notify(context, {
      tone: "note",
      kind: "link",
      text: `The loop “${name}” of the link failed: ${sentence(made.message)} Its code is on the screen Loop.`,
    });
    return;
  }
  context.wantedFile = link;
  await importFile(context, {
    file: made.file,
    name,
    code,
    screen: link.screen ?? "replay",
  });
}
