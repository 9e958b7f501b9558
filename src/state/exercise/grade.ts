/** Grades the answer lines of a class, a few at a time, so that progress is seen and the work can be stopped. */
import type { Report } from "../../engine/generated/Report";
import { joinReports } from "../../model/exercise/report";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { engineError } from "../notices";
import { takeExercise } from "./open";
import { openExercise } from "./session";
import type { TeacherState } from "./state";

export interface AnswerFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Each call looks at the whole trace once, so calls grow until one takes this time in milliseconds; longer ones would
 * hide the progress.
 */
const SHORT_MS = 1000;

/** A class has no more text than this. */
const MOST_BYTES = 20_000_000;

interface Line {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const running = new WeakMap<Context, AbortController>();

function teacherOf({ store }: Context): TeacherState | undefined {
  const { exercise } = store.getState();
  return exercise?.role === "teacher" ? exercise : undefined;
}

function patch(context: Context, part: Partial<TeacherState>): void {
  const teacher = teacherOf(context);
  if (teacher) set(context, { exercise: { ...teacher, ...part } });
}

/** Adds the lines of files to the report. */
export async function addAnswers(
  context: Context,
  files: readonly AnswerFile[],
): Promise<void> {
  const teacher = teacherOf(context);
  const { text } = teacher ?? {};
  if (!teacher || text === undefined) return;
  const lines = files.flatMap(linesOf);
  if (lines.length === 0) {
    patch(context, { failure: "There is no line in it." });
    return;
  }
  running.get(context)?.abort();
  const abort = new AbortController();
  running.set(context, abort);
  const isHere = () =>
    !abort.signal.aborted && teacherOf(context)?.text === text;
  const total = lines.length;
  patch(context, { progress: { done: 0, total }, failure: undefined });
  try {
    const { engine } = await openExercise(context, text);
    let size = 1;
    for (let done = 0; done < total && isHere();) {
      const batch = lines.slice(done, done + size);
      const start = context.clock.now();
      const part = await engine.call("gradeExercise", {
        text,
        files: batch.map((line, at) => ({ name: String(at), text: line.text })),
      });
      if (!isHere()) break;
      done += batch.length;
      if (context.clock.now() - start < SHORT_MS) size *= 2;
      const report = located(part, batch);
      const before = teacherOf(context)?.report;
      patch(context, {
        report: before ? joinReports(before, report) : report,
        progress: { done, total },
      });
    }
  } catch (thrown) {
    const { message, at } = engineError(thrown);
    if (isHere()) patch(context, { failure: placed(message, at) });
  }
  if (running.get(context) === abort) patch(context, { progress: undefined });
}

function linesOf({ name, text }: AnswerFile): readonly Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ file: name, line: at + 1, text: line }))
    .filter((line) => line.text.trim() !== "");
}

/** Puts the files and lines of the user in the place of those of the batch. */
function located(report: Report, batch: readonly Line[]): Report {
  const place = <T extends { file: string; line: number }>(of: T): T => {
    const { file = of.file, line = of.line } = batch[Number(of.file)] ?? {};
    return { ...of, file, line };
  };
  return {
    ...report,
    students: report.students.map(place),
    unread: report.unread.map(place),
  };
}

/** Reads dropped files: the exercise, if one is among them, and answers. */
export async function takeFiles(
  context: Context,
  files: readonly { readonly file: Blob; readonly name: string }[],
): Promise<void> {
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  if (size > MOST_BYTES) {
    patch(context, {
      failure: `These files have more than ${MOST_BYTES / 1e6} MB: no class has that many answers.`,
    });
    return;
  }
  const read = await Promise.all(
    files.map(async ({ file, name }) => ({ name, text: await file.text() })),
  );
  const answers: AnswerFile[] = [];
  for (const file of read)
    if (/^\s*\{/.test(file.text))
      await takeExercise(context, "teacher", file.text);
    else answers.push(file);
  if (answers.length > 0) await addAnswers(context, answers);
}

export function teacherActions(context: Context) {
  return {
    take: (input: string) => takeExercise(context, "teacher", input),
    takeFiles: (files: readonly File[]) =>
      takeFiles(
        context,
        files.map((file) => ({ file, name: file.name })),
      ),
    /** Takes what was pasted outside of the fields. */
    paste: (text: string) =>
      teacherOf(context)?.view
        ? addAnswers(context, [{ name: "pasted", text }])
        : takeExercise(context, "teacher", text),
    add: (text: string) => addAnswers(context, [{ name: "pasted", text }]),
    cancel: () => {
      running.get(context)?.abort();
      patch(context, { progress: undefined });
    },
    clear: () => {
      running.get(context)?.abort();
      patch(context, {
        report: undefined,
        progress: undefined,
        failure: undefined,
      });
    },
  };
}

export type TeacherActions = ReturnType<typeof teacherActions>;
