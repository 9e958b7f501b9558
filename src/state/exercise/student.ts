/** A student's way through an exercise: questions one by one, answers that the simulator grades, and the answer line. */
import {
  givenOf,
  isOver,
  NO_ANSWER,
  progressKey,
  readAnswers,
  writeAnswers,
} from "../../model/exercise/progress";
import type { StudentAnswer } from "../../model/exercise/progress";
import { questionStep } from "../../model/exercise/lesson";
import { LessonError } from "../../model/learn/error";
import type { Sure } from "../../model/learn/progress";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { sceneOf } from "../learn/run";
import type { QuestionState } from "../learn/state";
import { engineError } from "../notices";
import { openExercise } from "./session";
import { setName, takeExercise } from "./open";
import type { StudentState } from "./state";

/** The student of the screen; `undefined` if it shows something else. */
function studentOf({ store }: Context): StudentState | undefined {
  const { exercise } = store.getState();
  return exercise?.role === "student" ? exercise : undefined;
}

function patch(context: Context, part: Partial<StudentState>): void {
  const student = studentOf(context);
  if (student) set(context, { exercise: { ...student, ...part } });
}

function patchQuestion(context: Context, part: Partial<QuestionState>): void {
  const question = studentOf(context)?.question;
  if (question) patch(context, { question: { ...question, ...part } });
}

/** When the question came to the screen. */
const since = new WeakMap<Context, number>();

/** Runs the trace, and asks this name's questions. */
export async function begin(context: Context): Promise<void> {
  const student = studentOf(context);
  const { text, view } = student ?? {};
  const name = student?.name.trim() ?? "";
  if (!student || text === undefined || !view || name === "") return;
  const isHere = () => studentOf(context)?.text === text;
  patch(context, { stage: "opening", problem: undefined, line: undefined });
  try {
    const service = await context.exercises();
    service.keepName(name);
    const { engine } = await openExercise(context, text);
    const asked = await engine.call("exerciseQuestions", { text, name });
    if (!isHere()) return;
    const kept = service.kept(progressKey(view.digest, name));
    const answers = readAnswers(kept, asked.length);
    patch(context, { stage: "asking", name, asked, answers });
    const first = answers.findIndex((each) => !isOver(each, view.attempts));
    await goTo(context, Math.max(0, first));
  } catch (thrown) {
    const why =
      thrown instanceof LessonError
        ? thrown.message
        : placed(engineError(thrown).message, engineError(thrown).at);
    if (isHere())
      patch(context, { stage: "start", problem: { key: "problemWrong", why } });
  }
}

/** Shows a question, with the answer that was given before. */
export async function goTo(context: Context, at: number): Promise<void> {
  countSeconds(context);
  const student = studentOf(context);
  const asked = student?.asked[at];
  const { view, text } = student ?? {};
  if (!student || !asked || !view || text === undefined) return;
  const answer = student.answers[at] ?? NO_ANSWER;
  const { given, hints, sure } = answer;
  patch(context, {
    at,
    stage: "asking",
    question: {
      given,
      hints,
      done: isOver(answer, view.attempts),
      ...(sure && { sure }),
    },
  });
  const isHere = () => {
    const now = studentOf(context);
    return now?.text === text && now.at === at && now.asked === student.asked;
  };
  try {
    const { engine, machine, whole } = await openExercise(context, text);
    const scene = await sceneOf(engine, machine, { at: asked.posed.at });
    const { ask } = asked.posed;
    const graded =
      answer.tries > 0
        ? await engine.call("answer", { at: asked.posed.at, ask, given })
        : undefined;
    if (!isHere()) return;
    const step = questionStep(asked, view, scene.step);
    patch(context, { shown: { at, step, scene, whole } });
    patchQuestion(context, { posed: asked.posed, graded });
    since.set(context, context.clock.now());
  } catch (thrown) {
    const { message, at: place } = engineError(thrown);
    if (isHere()) patchQuestion(context, { problem: placed(message, place) });
  }
}

/** Adds the time since the question came to the screen, unless nothing can change any more. */
function countSeconds(context: Context): void {
  const student = studentOf(context);
  const start = since.get(context);
  const answer = student?.answers[student.at];
  if (!student || start === undefined || !answer) return;
  if (student.stage !== "asking" || isOver(answer, student.view?.attempts))
    return;
  const now = context.clock.now();
  since.set(context, now);
  const seconds = answer.seconds + Math.round((now - start) / 1000);
  change(context, { seconds });
}

/** Changes the answer to the shown question, and keeps it. */
function change(context: Context, part: Partial<StudentAnswer>): void {
  const student = studentOf(context);
  if (!student?.view) return;
  const answers = student.answers.map((answer, at) =>
    at === student.at ? { ...answer, ...part } : answer,
  );
  patch(context, { answers });
  const key = progressKey(student.view.digest, student.name);
  void context
    .exercises()
    .then((service) => service.keep(key, writeAnswers(answers)));
}

/** Grades the answer on the screen. */
export async function answer(context: Context): Promise<void> {
  const student = studentOf(context);
  const { question, text, at, view } = student ?? {};
  const { posed, given = "", sure, hints = 0 } = question ?? {};
  if (!student || text === undefined || at === undefined || !posed) return;
  if (question?.done || question?.graded || given.trim() === "") return;
  try {
    const { engine } = await openExercise(context, text);
    const { ask } = posed;
    const graded = await engine.call("answer", { at: posed.at, ask, given });
    const now = studentOf(context);
    if (now?.text !== text || now.at !== at || now.question?.given !== given)
      return;
    countSeconds(context);
    const tries = (student.answers[at]?.tries ?? 0) + 1;
    change(context, {
      given,
      right: graded.right,
      tries,
      hints,
      ...(sure && { sure }),
    });
    const done = isOver(
      { ...NO_ANSWER, right: graded.right, tries },
      view?.attempts,
    );
    patchQuestion(context, { graded, done });
  } catch (thrown) {
    const { message, at: place } = engineError(thrown);
    patchQuestion(context, { problem: placed(message, place) });
  }
}

/** Writes the answer line. */
export async function finish(context: Context): Promise<void> {
  countSeconds(context);
  const student = studentOf(context);
  if (student?.text === undefined) return;
  const { text, name, answers } = student;
  try {
    const { engine } = await openExercise(context, text);
    const line = await engine.call("exerciseLine", {
      text,
      name,
      answers: givenOf(answers),
    });
    if (studentOf(context)?.text === text)
      patch(context, { stage: "end", line });
  } catch (thrown) {
    const { message, at } = engineError(thrown);
    patchQuestion(context, { problem: placed(message, at) });
  }
}

export function studentActions(context: Context) {
  return {
    take: (input: string) => takeExercise(context, "student", input),
    setName: (name: string) => setName(context, name),
    begin: () => begin(context),
    goTo: (at: number) => goTo(context, at),
    finish: () => finish(context),
    give: (given: string) => {
      const question = studentOf(context)?.question;
      if (!question?.done) patchQuestion(context, { given, graded: undefined });
    },
    beSure: (sure: Sure) => patchQuestion(context, { sure }),
    hint: () => {
      const question = studentOf(context)?.question;
      if (!question) return;
      patchQuestion(context, { hints: question.hints + 1 });
      change(context, { hints: question.hints + 1 });
    },
    answer: () => answer(context),
    /** Asks for another name. */
    rename: () => patch(context, { stage: "start", line: undefined }),
  };
}

export type StudentActions = ReturnType<typeof studentActions>;
