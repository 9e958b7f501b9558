/** Graded lines and the names of a class: who is missing, who is not listed, and which line of a name counts. */
import type { QuestionCounts } from "../../engine/generated/QuestionCounts";
import type { Report } from "../../engine/generated/Report";
import type { Student } from "../../engine/generated/Student";

/** The key of a typed name, as the simulator makes `name_key`. */
const nameKey = (name: string) =>
  name.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase();

/** The lines that count if a name has several. */
export type Keep = "all" | "best" | "last";

/** Returns the report of the lines that count, each name at the place of its first line. */
export function keepLines(report: Report, keep: Keep): Report {
  if (keep === "all") return report;
  const kept = new Map<string, Student>();
  for (const student of report.students) {
    const key = student.name_key;
    const other = kept.get(key);
    if (!other || keep === "last" || student.right >= other.right)
      kept.set(key, student);
  }
  const students = [...kept.values()];
  const questions = report.questions.map((each) => recount(each, students));
  return { ...report, students, questions };
}

function recount(
  { question, ask }: QuestionCounts,
  students: readonly Student[],
): QuestionCounts {
  const answers = students
    .flatMap((student) => student.answers)
    .filter((answer) => answer.question === question);
  const wrong = answers.filter(({ right }) => !right);
  const mistakes: QuestionCounts["mistakes"] = {};
  for (const { mistake } of wrong)
    if (mistake) mistakes[mistake] = (mistakes[mistake] ?? 0) + 1;
  return {
    question,
    ask,
    answers: answers.length,
    right: answers.length - wrong.length,
    mistakes,
    unexplained: wrong.filter(({ mistake }) => !mistake).length,
  };
}

/** A line whose label has the name of another student. */
export interface Mislabelled {
  readonly student: Student;
  /** The name in the label. */
  readonly labelled: string;
}

export interface ClassCheck {
  /** Names of the list without a line. */
  readonly missing: readonly string[];
  /** Lines whose name is not in the list. */
  readonly unknown: readonly Student[];
  readonly mislabelled: readonly Mislabelled[];
}

export function checkClass(
  { students }: Report,
  names: readonly string[],
): ClassCheck {
  const keys = new Map(names.map((name) => [nameKey(name), name]));
  const seen = new Set(students.map(({ name_key }) => name_key));
  return {
    missing: names.filter((name) => !seen.has(nameKey(name))),
    unknown: students.filter(({ name_key }) => !keys.has(name_key)),
    mislabelled: students.flatMap((student) => {
      const own = student.name_key;
      const words = wordsOf(student.label);
      if (words.includes(wordsOf(own))) return [];
      const other = [...keys].find(
        ([key]) => key !== own && words.includes(wordsOf(key)),
      );
      return other ? [{ student, labelled: other[1] }] : [];
    }),
  };
}

/** The words of a text with a space around each, so that names are found only as whole words. */
function wordsOf(text: string): string {
  return ` ${nameKey(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ")} `;
}
