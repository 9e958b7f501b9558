/** Prepares a lesson for printing: the picture of each step, its question, and the answer of the simulator. */
import type { Engine } from "../../engine/calls";
import type { MachineView } from "../../engine/generated/MachineView";
import type { LessonStep } from "../../model/learn/lesson";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { engineError } from "../notices";
import { askOf, openLesson, patchLearn } from "./actions";
import { sceneOf } from "./run";
import { entryOf } from "./state";
import type { SheetStep } from "./state";

export async function printLesson(context: Context): Promise<void> {
  const { learn } = context.store.getState();
  const entry = learn && entryOf(learn, learn.at?.lesson);
  if (!entry) return;
  const { id: lesson, steps: all } = entry.lesson;
  try {
    const { engine, machine, whole } = await openLesson(context, entry);
    const steps: SheetStep[] = [];
    for (const [at, step] of all.entries())
      steps.push(await sheetStep(engine, machine, step, at + 1));
    const now = context.store.getState().learn?.at;
    if (now?.lesson === lesson)
      patchLearn(context, { sheet: { lesson, whole, steps } });
  } catch (thrown) {
    const { message, at } = engineError(thrown);
    patchLearn(context, { problem: placed(message, at) });
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
