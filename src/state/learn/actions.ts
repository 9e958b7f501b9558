/** Opens steps of lessons, and has the simulator pose and grade their questions. */
import type { Engine } from "../../engine/calls";
import {
  NO_PROGRESS,
  isProgress,
  mergeProgress,
  readProgress,
  withAnswer,
  withSeen,
  writeProgress,
} from "../../model/learn/progress";
import type { LessonStep } from "../../model/learn/lesson";
import type { Progress } from "../../model/learn/progress";
import type { Language } from "../../model/texts/language";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { readLessons } from "./lessons";
import { problemOf } from "./problem";
import { sceneOf } from "./run";
import { sessionOf, withLesson } from "./session";
import type { Session } from "./session";
import { entryOf } from "./state";
import type {
  LearnState,
  LessonEntry,
  LessonPlace,
  QuestionState,
} from "./state";

export function patchLearn(context: Context, part: Partial<LearnState>): void {
  const { learn } = context.store.getState();
  if (learn) set(context, { learn: { ...learn, ...part } });
}

/** Shows the exercise or the step that a link names, or else the list. */
export async function showLearn(
  context: Context,
  link: Pick<Permalink, "lesson" | "step" | "exercise" | "grade">,
): Promise<void> {
  const { lesson, step = 1 } = link;
  if ((link.exercise ?? link.grade) !== undefined) {
    const { showExercise } = await import("../exercise/bound");
    return showExercise(context, link);
  }
  set(context, { exercise: undefined });
  const session = await sessionOf(context);
  const { service } = session;
  const read = await readLatest(session);
  if (!context.store.getState().learn) {
    const kept = service.keptProgress();
    set(context, {
      learn: {
        ...read,
        at: undefined,
        unknown: undefined,
        badFile: undefined,
        sheet: undefined,
        programs: undefined,
        shown: undefined,
        problem: undefined,
        question: undefined,
        progress: kept === undefined ? NO_PROGRESS : readProgress(kept),
      },
    });
  }
  await goTo(context, lesson === undefined ? undefined : { lesson, step });
}

/** Shows the lessons in another language, at the same place. */
export async function speak(
  context: Context,
  language: Language,
): Promise<void> {
  const session = await sessionOf(context);
  session.language = language;
  if (context.store.getState().learn?.language === language) return;
  patchLearn(context, await readLatest(session));
}

/** Reads the lessons in the language that was asked for last. */
async function readLatest(
  session: Session,
): Promise<Pick<LearnState, "lessons" | "problems" | "language">> {
  const { language } = session;
  const files = await session.service.lessonFiles(language);
  return language === session.language
    ? { ...readLessons(files), language }
    : readLatest(session);
}

/** Opens a step; without a place, the list. */
export async function goTo(
  context: Context,
  wanted: LessonPlace | undefined,
): Promise<void> {
  const { learn } = context.store.getState();
  if (!learn) return;
  const entry = entryOf(learn, wanted?.lesson);
  if (!wanted || !entry) {
    const unknown = wanted?.lesson;
    patchLearn(context, { at: undefined, question: undefined, unknown });
    return;
  }
  const { id, steps } = entry.lesson;
  const step = Math.min(Math.max(1, wanted.step), steps.length);
  const asks = steps[step - 1]?.ask !== undefined;
  const at = { lesson: id, step };
  const { shown } = learn;
  const isShown =
    shown?.lesson === learn.at?.lesson && shown?.step === learn.at?.step;
  patchLearn(context, {
    at,
    shown: shown && {
      ...shown,
      answered: isShown ? learn.question?.done === true : shown.answered,
    },
    unknown: undefined,
    problem: undefined,
    question: asks ? { given: "", hints: 0, done: false } : undefined,
  });
  await record(context, withSeen(learn.progress, id, step));
  await load(context, entry, at);
}

const isAt = (context: Context, at: LessonPlace) =>
  context.store.getState().learn?.at === at;

async function load(
  context: Context,
  entry: LessonEntry,
  at: LessonPlace,
): Promise<void> {
  const step = entry.lesson.steps[at.step - 1];
  if (!step) return;
  try {
    await withLesson(context, entry, async ({ engine, machine, whole }) => {
      if (!isAt(context, at)) return;
      const scene = await sceneOf(engine, machine, step);
      if (!isAt(context, at)) return;
      patchLearn(context, {
        shown: { ...at, scene, whole, answered: false },
        problem: undefined,
      });
      await pose(context, engine, entry, at);
    });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined && isAt(context, at))
      patchLearn(context, { problem });
  }
}

async function pose(
  context: Context,
  engine: Engine,
  { lesson }: LessonEntry,
  at: LessonPlace,
): Promise<void> {
  const step = lesson.steps[at.step - 1];
  if (!step?.ask) return;
  try {
    const posed = await engine.call("ask", askOf(step.ask, step.at, at.step));
    if (isAt(context, at)) patchQuestion(context, { posed });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined && isAt(context, at))
      patchQuestion(context, { problem, done: true });
  }
}

/** The seed orders the choices: each step has an order of its own, which is equal at each visit. */
export function askOf(
  { ask, choices }: NonNullable<LessonStep["ask"]>,
  at: number,
  seed: number,
) {
  return { at, ask, seed, ...(choices !== undefined && { choices }) };
}

export function patchQuestion(
  context: Context,
  part: Partial<QuestionState>,
): void {
  const question = context.store.getState().learn?.question;
  if (question) patchLearn(context, { question: { ...question, ...part } });
}

/** Grades the reader's answer. The access runs when it is right. */
export async function answer(context: Context): Promise<void> {
  const { learn } = context.store.getState();
  const { at, question } = learn ?? {};
  const entry = learn && entryOf(learn, at?.lesson);
  const { posed, given = "", sure } = question ?? {};
  if (!entry || !at || !posed || question?.done) return;
  if (question?.graded || given.trim() === "") return;
  const isHere = () => {
    const now = context.store.getState().learn;
    return now?.at === at && now.question?.given === given;
  };
  const { ask } = posed;
  try {
    await withLesson(context, entry, async ({ engine }) => {
      const graded = await engine.call("answer", { at: posed.at, ask, given });
      const now = context.store.getState().learn;
      if (!now || !isHere() || now.question?.done) return;
      const { right, mistake } = graded;
      patchQuestion(context, { graded, done: right, problem: undefined });
      await record(
        context,
        withAnswer(now.progress, at.lesson, at.step, {
          given,
          right,
          ...(mistake !== undefined && { mistake }),
          ...(sure && { sure }),
        }),
      );
    });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined && isHere()) patchQuestion(context, { problem });
  }
}

export async function record(
  context: Context,
  progress: Progress,
): Promise<void> {
  const { service } = await sessionOf(context);
  if (context.store.getState().learn?.progress === progress) return;
  patchLearn(context, { progress });
  service.keepProgress(writeProgress(progress, service.keptProgress()));
}

/** Forgets all steps and answers, also those of other versions. */
export async function forget(context: Context): Promise<void> {
  const { service } = await sessionOf(context);
  patchLearn(context, { progress: NO_PROGRESS });
  service.keepProgress(writeProgress(NO_PROGRESS));
}

/** The progress as the text of a file. */
export async function saveProgress(context: Context): Promise<string> {
  const { service } = await sessionOf(context);
  const progress = context.store.getState().learn?.progress ?? NO_PROGRESS;
  return writeProgress(progress, service.keptProgress());
}

/** A file of progress has a few kilobytes. */
const MOST_BYTES = 1_000_000;

/** Adds the progress of a file. */
export async function loadProgress(
  context: Context,
  file: File,
): Promise<void> {
  const { service } = await sessionOf(context);
  const text = file.size > MOST_BYTES ? "" : await file.text();
  const { learn } = context.store.getState();
  if (!learn) return;
  if (!isProgress(text)) {
    patchLearn(context, { badFile: file.name });
    return;
  }
  const own = writeProgress(learn.progress, service.keptProgress());
  const progress = mergeProgress(readProgress(own), readProgress(text));
  // What this version does not know comes from both.
  const both = writeProgress(readProgress(own), text);
  patchLearn(context, { progress, badFile: undefined });
  service.keepProgress(writeProgress(progress, both));
}
