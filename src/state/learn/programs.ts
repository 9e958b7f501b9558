/** Runs the programs of a lesson on its machine, on an engine of their own. */
import { programsOf, withSize } from "../../model/learn/whole";
import type { Context } from "../context";
import { patchLearn } from "./actions";
import { problemOf } from "./problem";
import { lessonConfiguration, lessonSource, openTrace } from "./run";
import { entryOf } from "./state";
import type { ProgramRuns } from "./state";

export async function runPrograms(
  context: Context,
  n: number | undefined,
): Promise<void> {
  const { learn } = context.store.getState();
  const entry = learn && entryOf(learn, learn.at?.lesson);
  if (!entry) return;
  const { lesson } = entry;
  const begun: ProgramRuns = { lesson: lesson.id, n, runs: [] };
  const patch = (part: Partial<ProgramRuns>) => {
    // Another run may have begun.
    if (context.store.getState().learn?.programs === begun)
      patchLearn(context, { programs: { ...begun, ...part } });
  };
  patchLearn(context, { programs: begun });
  const engine = context.sideEngine();
  try {
    const { setup } = lessonConfiguration(
      lesson,
      await engine.call("cpus", {}),
    );
    const runs: ProgramRuns["runs"][number][] = [];
    for (const program of programsOf(lesson)) {
      const trace = n === undefined ? program : withSize(program, n);
      const { name } = program;
      const source = await lessonSource({ ...lesson, trace }, name, context);
      await openTrace(engine, source, context.fetchTrace);
      await engine.call("configure", setup);
      runs.push({ name, report: await engine.start("run", {}) });
    }
    patch({ runs });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined) patch({ problem });
  } finally {
    engine.dispose();
  }
}
