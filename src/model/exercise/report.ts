/** Graded answers as a table, as counts of mistakes, and as a file for an LMS. */
import type { Mistake } from "../../engine/generated/Mistake";
import type { QuestionCounts } from "../../engine/generated/QuestionCounts";
import type { Report } from "../../engine/generated/Report";
import type { Student } from "../../engine/generated/Student";
import { csv } from "../shared/csv";

/** What a student probably did, as a sentence. */
export type MistakeWords = (mistake: Mistake) => string;

/** Adds the report of more lines. */
export function joinReports(a: Report, b: Report): Report {
  return {
    ...a,
    students: [...a.students, ...b.students],
    unread: [...a.unread, ...b.unread],
    questions: a.questions.map((question, at) =>
      joinCounts(question, b.questions[at]),
    ),
  };
}

function joinCounts(
  a: QuestionCounts,
  b: QuestionCounts | undefined,
): QuestionCounts {
  if (!b) return a;
  const mistakes = { ...a.mistakes };
  for (const [mistake, n] of Object.entries(b.mistakes) as [Mistake, number][])
    mistakes[mistake] = (mistakes[mistake] ?? 0) + n;
  return {
    ...a,
    answers: a.answers + b.answers,
    right: a.right + b.right,
    mistakes,
    unexplained: a.unexplained + b.unexplained,
  };
}

/** A student's line, and how many lines have the same name. */
export interface StudentRow {
  readonly student: Student;
  readonly key: string;
  readonly same: number;
}

export function studentRows({ students }: Report): readonly StudentRow[] {
  const counts = new Map<string, number>();
  for (const { name_key } of students)
    counts.set(name_key, (counts.get(name_key) ?? 0) + 1);
  return students.map((student, at) => ({
    student,
    key: `${at} ${student.file} ${student.line}`,
    same: counts.get(student.name_key) ?? 1,
  }));
}

/** The number of questions that each student has. */
export function questionsOf({ students: [first] }: Report): number {
  return first?.answers.length ?? 0;
}

export interface Bar {
  readonly text: string;
  readonly mistake?: Mistake;
  readonly n: number;
}

/** The wrong answers to a question by mistake, the most frequent first. */
export function mistakeBars(
  { mistakes, unexplained }: QuestionCounts,
  words: MistakeWords,
): readonly Bar[] {
  const known = (Object.entries(mistakes) as [Mistake, number][]).map(
    ([mistake, n]): Bar => ({ mistake, n, text: words(mistake) }),
  );
  const rest: readonly Bar[] =
    unexplained > 0 ? [{ n: unexplained, text: "No known mistake." }] : [];
  return [...known.toSorted((a, b) => b.n - a.n), ...rest];
}

export interface Statistics {
  readonly students: number;
  readonly questions: number;
  readonly mean: number;
  readonly median: number;
  readonly all: number;
  /** The share of right answers among the sure ones, and among the others. */
  readonly sure: { readonly right: number; readonly of: number };
  readonly unsure: { readonly right: number; readonly of: number };
}

/** `undefined` before the first student. */
export function statisticsOf(report: Report): Statistics | undefined {
  const { students } = report;
  if (students.length === 0) return undefined;
  const scores = students.map(({ right }) => right).sort((a, b) => a - b);
  const questions = questionsOf(report);
  const answers = students.flatMap((student) => student.answers);
  const half = (scores.length - 1) / 2;
  const at = (index: number) => scores[index] ?? 0;
  const share = (sure: boolean) => {
    const those = answers.filter((answer) => answer.sure === sure);
    return {
      right: those.filter(({ right }) => right).length,
      of: those.length,
    };
  };
  return {
    students: students.length,
    questions,
    mean: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    median: (at(Math.floor(half)) + at(Math.ceil(half))) / 2,
    all: scores.filter((score) => score === questions).length,
    sure: share(true),
    unsure: share(false),
  };
}

/** What a class list adds to the grades. */
export interface ListedNames {
  /** Names without a line. */
  readonly missing: readonly string[];
}

/**
 * One row for each line: who, the score, each question with 1 or 0, and then what was given. Lines that were not graded
 * follow, and names without a line.
 */
export function gradesCsv(report: Report, listed?: ListedNames): string {
  const numbers = Array.from(
    { length: questionsOf(report) },
    (_, at) => at + 1,
  );
  const heads = [
    "label",
    "name",
    "score",
    "of",
    "lines of this name",
    "file",
    "line",
    "not graded",
    ...numbers.map((n) => `Q${n}`),
    ...numbers.flatMap((n) =>
      ["given", "answer", "mistake", "sure", "tries", "seconds"].map(
        (what) => `Q${n} ${what}`,
      ),
    ),
  ];
  const rows = studentRows(report).map(({ student, same }) => [
    student.label,
    student.name,
    student.right,
    student.answers.length,
    same,
    student.file,
    student.line,
    "",
    ...student.answers.map(({ right }) => (right ? 1 : 0)),
    ...student.answers.flatMap((answer) => [
      answer.given,
      answer.answer,
      answer.mistake ?? "",
      sureWord(answer.sure),
      answer.tries,
      answer.seconds,
    ]),
  ]);
  const lost = report.unread.map(({ file, line, start, error }) => {
    return ["", "", "", "", "", file, line, `${error.message}: ${start}`];
  });
  const missing = (listed?.missing ?? []).map((name) => {
    return ["", name, "", "", 0, "", "", "no line"];
  });
  const whole = (row: readonly (string | number)[]) =>
    heads.map((_, at) => row[at] ?? "");
  return csv([heads, ...rows, ...lost.map(whole), ...missing.map(whole)]);
}

/** Missing if the student did not say it. */
function sureWord(sure: boolean | undefined): string {
  return sure === undefined ? "" : sure ? "yes" : "no";
}
