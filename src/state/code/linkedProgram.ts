/** Runs the program of a link that shows its trace elsewhere than on the screen Code. */
import { programName } from "../../model/code/code";
import type { ProgramText } from "../../model/code/code";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { notify, sentence } from "../notices";
import { runBuilt } from "./built";
import { showPrograms } from "./draft";
import { limitOf } from "./engines";
import { openRun } from "./openRun";

/** The trace opens where the link says. */
export async function runLinkedProgram(
  context: Context,
  link: Permalink,
  { code, build }: Pick<ProgramText, "code" | "build">,
): Promise<void> {
  const name = link.file ?? programName("");
  showPrograms(context, [{ name: programName(name), code, build }]);
  const abort = new AbortController();
  context.programRuns.set(0, abort);
  const ran = await openRun(context, {
    request: {
      name,
      code,
      build,
      screen: link.screen ?? "replay",
      // The access of the link is for the trace of this program.
      onRead: () => {
        context.wantedFile = link;
      },
    },
    limit: limitOf(build),
    abort,
    run: (hooks) =>
      build
        ? runBuilt(context, { text: code, build }, hooks)
        : context.codeService.run(code, {
            signal: hooks.signal,
            packing: hooks.packing,
            onProgress: (accesses) =>
              hooks.onStep({ what: "running", accesses }),
          }),
  });
  if (ran && "message" in ran)
    notify(context, {
      tone: "note",
      kind: "link",
      text: `The program “${name}” of the link failed: ${sentence(ran.message)} Its code is on the screen Code.`,
    });
}
