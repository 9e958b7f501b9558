/** Prepares a lesson for printing: the picture of each step, its question, and the answer of the simulator. */
import type { Engine } from "../../engine/calls";
import type { MachineView } from "../../engine/generated/MachineView";
import type { LessonStep } from "../../model/learn/lesson";
import type { Context } from "../context";
import { askOf, patchLearn } from "./actions";
import { problemOf } from "./problem";
import { sceneOf } from "./run";
import { withLesson } from "./session";
import { entryOf } from "./state";
import type { SheetStep } from "./state";

export async function printLesson(context: Context): Promise<void> {
  const { learn } = context.store.getState();
  const entry = learn && entryOf(learn, learn.at?.lesson);
  if (!entry) return;
  const { id: lesson, steps: all } = entry.lesson;
  const isOpen = () => context.store.getState().learn?.at?.lesson === lesson;
  try {
    await withLesson(context, entry, async ({ engine, machine, whole }) => {
      const steps: SheetStep[] = [];
      for (const [at, step] of all.entries()) {
        if (!isOpen()) return;
        steps.push(await sheetStep(engine, machine, step, at + 1));
      }
      if (isOpen()) patchLearn(context, { sheet: { lesson, whole, steps } });
    });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined && isOpen()) patchLearn(context, { problem });
  }
}

async function sheetStep(
  engine: Engine,
  machine: MachineView,
  step: LessonStep,
  n: number,
): Promise<SheetStep> {
  const scene = await sceneOf(engine, machine, step);
  if (!step.ask) return { scene };
  const { ask } = step.ask;
  const posed = await engine.call("ask", askOf(step.ask, step.at, n));
  // The verdict on no answer has the right one.
  const given = "";
  const { answer } = await engine.call("answer", { at: step.at, ask, given });
  return { scene, asked: { posed, answer } };
}
