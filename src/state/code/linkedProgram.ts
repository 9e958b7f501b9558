/** Runs the program of a link that shows its trace elsewhere than on the screen Code. */
import { programName, NOT_LOADED } from "../../model/code/code";
import type { CodeProblem, ProgramText } from "../../model/code/code";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { importFile } from "../import/traceActions";
import { notify, sentence } from "../notices";
import { runBuilt } from "./built";
import { showPrograms } from "./draft";

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
  set(context, { task: { kind: "start", label: "Running the program" } });
  const { signal } = abort;
  const nothing = () => {};
  const making = build
    ? runBuilt(context, { text: code, build }, { signal, onStep: nothing })
    : context.codeService.run(code, { signal, onProgress: nothing });
  const made = await making.catch((): CodeProblem => ({ message: NOT_LOADED }));
  set(context, { task: undefined });
  if (!made) return;
  if ("message" in made) {
    notify(context, {
      tone: "note",
      kind: "link",
      text: `The program “${name}” of the link failed: ${sentence(made.message)} Its code is on the screen Code.`,
    });
    return;
  }
  context.wantedFile = link;
  await importFile(context, {
    file: made.file(),
    name,
    code,
    build,
    screen: link.screen ?? "replay",
  });
}
