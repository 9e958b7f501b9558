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
import type { Sure } from "../../model/learn/progress";
import type { Context } from "../context";
import { set } from "../context";
import { problemOf } from "../learn/problem";
import { createQueue } from "../learn/queue";
import type { Queue } from "../learn/queue";
import { sceneOf } from "../learn/run";
import type { QuestionState } from "../learn/state";
import { exerciseEngine, withExercise } from "./session";
import { setName, takeExercise, takeFile } from "./open";
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

/** What is under way for the student of a page. */
interface Work {
  /** When the question came to the screen; missing while none waits for an answer. */
  since: number | undefined;
  /** Grades one answer after another. */
  readonly answers: Queue;
}

const works = new WeakMap<Context, Work>();

function workOf(context: Context): Work {
  let work = works.get(context);
  if (!work) {
    work = { since: undefined, answers: createQueue() };
    works.set(context, work);
  }
  return work;
}

/** Waits for answers that are being graded: they belong to the question on the screen. */
function graded(context: Context): Promise<void> {
  return workOf(context).answers(() => Promise.resolve());
}

/** Runs the trace, and asks this name's questions. */
export async function begin(context: Context): Promise<void> {
  const student = studentOf(context);
  const { text, view } = student ?? {};
  const name = student?.name.trim() ?? "";
  if (!student || text === undefined || !view || name === "") return;
  const isHere = () => {
    const now = studentOf(context);
    return now?.text === text && now.stage === "opening";
  };
  workOf(context).since = undefined;
  patch(context, { stage: "opening", problem: undefined, line: undefined });
  try {
    const { exercises: service } = await context.learn();
    service.keepName(name);
    const asked = await withExercise(context, text, ({ engine }) =>
      engine.call("exerciseQuestions", { text, name }),
    );
    if (!isHere()) return;
    const kept = service.kept(progressKey(view.digest, name));
    const answers = readAnswers(kept, asked.length);
    patch(context, { stage: "asking", name, asked, answers });
    const first = answers.findIndex((each) => !isOver(each, view.attempts));
    await goTo(context, Math.max(0, first));
  } catch (thrown) {
    if (!isHere()) return;
    const why = problemOf(thrown);
    patch(context, {
      stage: "start",
      problem: why === undefined ? undefined : { key: "problemWrong", why },
    });
  }
}

/** Shows a question, with the answer that was given before. */
export async function goTo(context: Context, at: number): Promise<void> {
  await graded(context);
  stopClock(context);
  const student = studentOf(context);
  const asked = student?.asked[at];
  const { view, text } = student ?? {};
  if (!student || !asked || !view || text === undefined) return;
  if (student.stage === "start" || student.stage === "opening") return;
  const answer = student.answers[at] ?? NO_ANSWER;
  const { given, hints, sure } = answer;
  const { shown, question } = student;
  patch(context, {
    at,
    stage: "asking",
    shown: shown && {
      ...shown,
      answered:
        shown.at === student.at ? question?.done === true : shown.answered,
    },
    question: {
      given,
      hints,
      done: isOver(answer, view.attempts),
      ...(sure && { sure }),
    },
  });
  const isHere = () => isAsking(context, { ...student, at });
  try {
    const { posed } = asked;
    await withExercise(context, text, async ({ engine, machine, whole }) => {
      if (!isHere()) return;
      const scene = await sceneOf(engine, machine, { at: posed.at });
      const verdict =
        answer.tries > 0
          ? await engine.call("answer", { at: posed.at, ask: posed.ask, given })
          : undefined;
      if (!isHere()) return;
      const step = questionStep(asked, view, scene.step);
      patch(context, { shown: { at, step, scene, whole, answered: false } });
      patchQuestion(context, { posed, graded: verdict, problem: undefined });
      workOf(context).since = context.clock.now();
    });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined && isHere()) patchQuestion(context, { problem });
  }
}

/** Returns whether the screen still asks this student this question. */
function isAsking(
  context: Context,
  { text, asked, at }: Pick<StudentState, "text" | "asked" | "at">,
): boolean {
  const now = studentOf(context);
  // Each name has its own list of questions.
  return (
    now?.stage === "asking" &&
    now.text === text &&
    now.asked === asked &&
    now.at === at
  );
}

/** Adds the time since the question came to the screen, unless nothing can change any more. */
function countSeconds(context: Context): void {
  const student = studentOf(context);
  const work = workOf(context);
  const answer = student?.answers[student.at];
  if (!student || work.since === undefined || !answer) return;
  if (student.stage !== "asking" || isOver(answer, student.view?.attempts))
    return;
  const now = context.clock.now();
  const seconds = answer.seconds + Math.round((now - work.since) / 1000);
  work.since = now;
  change(context, { seconds });
}

/** Counts the time until now. No more is counted until a question is on the screen. */
function stopClock(context: Context): void {
  countSeconds(context);
  workOf(context).since = undefined;
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
    .learn()
    .then(({ exercises }) => exercises.keep(key, writeAnswers(answers)));
}

/** Grades the answer on the screen. */
export function answer(context: Context): Promise<void> {
  return workOf(context).answers(() => grade(context));
}

async function grade(context: Context): Promise<void> {
  const student = studentOf(context);
  if (!student) return;
  const { question, text, at, view } = student;
  const { posed, given = "", sure, hints = 0 } = question ?? {};
  if (text === undefined || !posed) return;
  if (question?.done || question?.graded || given.trim() === "") return;
  const isHere = () =>
    isAsking(context, student) && studentOf(context)?.question?.given === given;
  try {
    const { ask } = posed;
    const verdict = await withExercise(context, text, ({ engine }) =>
      engine.call("answer", { at: posed.at, ask, given }),
    );
    if (!isHere()) return;
    countSeconds(context);
    const { right } = verdict;
    const tries = (student.answers[at]?.tries ?? 0) + 1;
    change(context, { given, right, tries, hints, ...(sure && { sure }) });
    const done = isOver({ ...NO_ANSWER, right, tries }, view?.attempts);
    patchQuestion(context, { graded: verdict, done, problem: undefined });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined && isHere()) patchQuestion(context, { problem });
  }
}

/** Writes the answer line. */
export async function finish(context: Context): Promise<void> {
  await graded(context);
  countSeconds(context);
  const student = studentOf(context);
  if (student?.text === undefined || student.stage !== "asking") return;
  const { text, name, answers } = student;
  try {
    const line = await exerciseEngine(context).call("exerciseLine", {
      text,
      name,
      answers: givenOf(answers),
    });
    if (!isAsking(context, student)) return;
    workOf(context).since = undefined;
    patch(context, { stage: "end", line });
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined && isAsking(context, student))
      patchQuestion(context, { problem });
  }
}

/** Asks for another name. */
async function rename(context: Context): Promise<void> {
  await graded(context);
  stopClock(context);
  patch(context, { stage: "start", line: undefined, question: undefined });
  const student = studentOf(context);
  if (student) await setName(context, student.name);
}

export function studentActions(context: Context) {
  return {
    take: (input: string) => takeExercise(context, "student", input),
    takeFile: (file: Blob) => takeFile(context, "student", file),
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
    rename: () => rename(context),
  };
}

export type StudentActions = ReturnType<typeof studentActions>;
