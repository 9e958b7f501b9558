/**
 * Grades the answer lines of a class, a few at a time, so that progress is seen and the work can be stopped. The report
 * of each exercise stays until the page closes, also while the screen shows something else.
 */
import type { Report } from "../../engine/generated/Report";
import { joinReports } from "../../model/exercise/report";
import { counted } from "../../model/shared/format";
import type { Context } from "../context";
import { set } from "../context";
import { problemOf } from "../learn/problem";
import { sentence } from "../notices";
import { withExercise } from "./session";
import type { AnswerFile, TeacherState } from "./state";

/**
 * Each call looks at the whole trace once, so calls grow until one takes this time in milliseconds; longer ones would
 * hide the progress.
 */
const SHORT_MS = 1000;

interface Line {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The answers to one exercise. */
interface Grading {
  report: Report | undefined;
  /** Lines that are not graded yet. */
  waiting: readonly Line[];
  /** The number of lines since the last time that none waited. */
  total: number;
  failure: string | undefined;
  running: Promise<void> | undefined;
}

/** By the digest of the exercise. */
const gradings = new WeakMap<Context, Map<string, Grading>>();

function gradingOf(context: Context, digest: string): Grading {
  const all = gradings.get(context) ?? new Map<string, Grading>();
  gradings.set(context, all);
  const grading = all.get(digest) ?? {
    report: undefined,
    waiting: [],
    total: 0,
    failure: undefined,
    running: undefined,
  };
  all.set(digest, grading);
  return grading;
}

export function teacherOf({ store }: Context): TeacherState | undefined {
  const { exercise } = store.getState();
  return exercise?.role === "teacher" ? exercise : undefined;
}

export function patchTeacher(
  context: Context,
  part: Partial<TeacherState>,
): void {
  const teacher = teacherOf(context);
  if (teacher) set(context, { exercise: { ...teacher, ...part } });
}

const isShown = (context: Context, digest: string) =>
  teacherOf(context)?.view?.digest === digest;

/** Shows what is graded of the exercise, if the screen grades it. */
function show(context: Context, digest: string): void {
  if (!isShown(context, digest)) return;
  const { report, waiting, total, failure } = gradingOf(context, digest);
  const progress =
    waiting.length > 0 ? { done: total - waiting.length, total } : undefined;
  patchTeacher(context, { report, progress, failure });
}

/** Shows the report of the exercise that was opened, and grades the lines that wait for it. */
export async function resume(context: Context): Promise<void> {
  const teacher = teacherOf(context);
  if (!teacher?.view) return;
  show(context, teacher.view.digest);
  patchTeacher(context, { early: [] });
  await addAnswers(context, teacher.early);
}

/** Grades the lines of files, after those that wait. Before the exercise is open, the files wait for it. */
export async function addAnswers(
  context: Context,
  files: readonly AnswerFile[],
): Promise<void> {
  const teacher = teacherOf(context);
  if (!teacher) return;
  const { text, view, early } = teacher;
  if (text === undefined || !view) {
    patchTeacher(context, { early: [...early, ...files] });
    return;
  }
  const { digest } = view;
  const grading = gradingOf(context, digest);
  const lines = files.flatMap(linesOf);
  grading.failure =
    files.length > 0 && lines.length === 0
      ? "There is no line in it."
      : undefined;
  grading.waiting = [...grading.waiting, ...lines];
  grading.total += lines.length;
  show(context, digest);
  if (grading.waiting.length > 0)
    grading.running ??= run(context, text, digest);
  await grading.running;
}

async function run(
  context: Context,
  text: string,
  digest: string,
): Promise<void> {
  const grading = gradingOf(context, digest);
  try {
    // Without its page, the rest waits until the page is back.
    for (let n = 1; grading.waiting.length > 0 && isShown(context, digest);)
      if (await gradeNext(context, text, digest, n)) n *= 2;
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem !== undefined)
      grading.failure = `${sentence(problem)} ${counted(grading.waiting.length, "line")} not graded.`;
    grading.waiting = [];
  }
  grading.running = undefined;
  if (grading.waiting.length === 0) grading.total = 0;
  show(context, digest);
}

/** Grades the next `n` lines. Returns whether that took only a short time. */
async function gradeNext(
  context: Context,
  text: string,
  digest: string,
  n: number,
): Promise<boolean> {
  const grading = gradingOf(context, digest);
  const batch = grading.waiting.slice(0, n);
  const { part, ms } = await withExercise(context, text, async ({ engine }) => {
    const start = context.clock.now();
    const part = await engine.call("gradeExercise", {
      text,
      files: batch.map((line, at) => ({ name: String(at), text: line.text })),
    });
    return { part, ms: context.clock.now() - start };
  });
  // Removed lines do not count any more.
  if (grading.waiting[0] !== batch[0]) return false;
  grading.waiting = grading.waiting.slice(batch.length);
  const report = located(part, batch);
  grading.report = grading.report
    ? joinReports(grading.report, report)
    : report;
  show(context, digest);
  return ms < SHORT_MS;
}

/** Removes the lines that wait. */
export function cancelGrading(context: Context): void {
  const digest = teacherOf(context)?.view?.digest;
  if (digest === undefined) return;
  const grading = gradingOf(context, digest);
  grading.waiting = [];
  grading.total = 0;
  show(context, digest);
}

/** Removes all answers. */
export function clearReport(context: Context): void {
  const digest = teacherOf(context)?.view?.digest;
  if (digest === undefined) return;
  cancelGrading(context);
  const grading = gradingOf(context, digest);
  grading.report = undefined;
  grading.failure = undefined;
  show(context, digest);
}

/** A line of these letters alone may be the end of an answer line that mail wrapped. */
const PART = /^[> ]*[\w.-]+\s*$/;

/** The lines of a file; those that may be one answer line stay together. */
function linesOf({ name, text }: AnswerFile): readonly Line[] {
  const found: Line[] = [];
  let isOpen = false;
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const last = found.at(-1);
    const isPart: boolean = isOpen && PART.test(line) && !line.includes("PW1.");
    if (last && isPart)
      found[found.length - 1] = { ...last, text: `${last.text}\n${line}` };
    else if (line.trim() !== "")
      found.push({ file: name, line: at + 1, text: line });
    isOpen = isPart || line.includes("PW1.");
  }
  return found;
}

/** Puts the files and lines of the user in the place of those of the batch. */
function located(report: Report, batch: readonly Line[]): Report {
  const place = <T extends { file: string; line: number }>(of: T): T => {
    const { file = of.file, line = 1 } = batch[Number(of.file)] ?? {};
    return { ...of, file, line: line + of.line - 1 };
  };
  return {
    ...report,
    students: report.students.map(place),
    unread: report.unread.map(place),
  };
}
