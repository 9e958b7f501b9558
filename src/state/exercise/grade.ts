/** The actions of a teacher who grades: the exercise, and the answers to it. */
import { isExercise } from "../../model/exercise/file";
import type { Context } from "../context";
import {
  addAnswers,
  cancelGrading,
  clearReport,
  patchTeacher,
  teacherOf,
} from "./grading";
import { takeExercise } from "./open";
import type { AnswerFile } from "./state";

/** A class has no more text than this. */
const MOST_BYTES = 20_000_000;

/** Reads dropped files: the exercise, if one is among them, and answers. */
export async function takeFiles(
  context: Context,
  files: readonly { readonly file: Blob; readonly name: string }[],
): Promise<void> {
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  if (size > MOST_BYTES) {
    patchTeacher(context, {
      failure: `These files have more than ${MOST_BYTES / 1e6} MB: no class has that many answers.`,
    });
    return;
  }
  const read = await Promise.all(
    files.map(async ({ file, name }) => ({ name, text: await file.text() })),
  );
  const exercise = read.find(({ text }) => isExercise(text));
  const answers = read.filter(({ text }) => !/^\s*\{/.test(text));
  const others = read.filter(
    (file) => file !== exercise && !answers.includes(file),
  );
  if (exercise) await takeExercise(context, "teacher", exercise.text);
  if (answers.length > 0) await addAnswers(context, answers);
  if (others.length > 0)
    patchTeacher(context, { failure: noAnswers(others, exercise) });
}

function noAnswers(
  others: readonly AnswerFile[],
  exercise: AnswerFile | undefined,
): string {
  const names = others.map(({ name }) => name).join(", ");
  return exercise && others.some(({ text }) => isExercise(text))
    ? `One exercise at a time: ${names} was left out.`
    : `${names}: no exercise of Pagewalk, and no answers.`;
}

/** Returns whether a text has answer lines. */
const hasAnswers = (text: string) => /\bPW1\./.test(text);

function takeText(context: Context, text: string): Promise<void> {
  const isOpen = teacherOf(context)?.view !== undefined;
  return !isExercise(text) && (isOpen || hasAnswers(text))
    ? addAnswers(context, [{ name: "pasted", text }])
    : takeExercise(context, "teacher", text);
}

export function teacherActions(context: Context) {
  return {
    /** Takes a text: the exercise, or answers once it is open. */
    take: (text: string) => takeText(context, text),
    takeFiles: (files: readonly File[]) =>
      takeFiles(
        context,
        files.map((file) => ({ file, name: file.name })),
      ),
    cancel: () => cancelGrading(context),
    clear: () => clearReport(context),
  };
}

export type TeacherActions = ReturnType<typeof teacherActions>;
