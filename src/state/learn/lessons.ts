/** Reads the files of all lessons. A lesson with an error is left out, and the error is shown. */
import { lessonProblems } from "../../model/learn/check";
import { withClaims } from "../../model/learn/claims";
import { LessonError } from "../../model/learn/error";
import { readLesson } from "../../model/learn/lesson";
import { readLessonText } from "../../model/learn/text";
import type { LessonFile } from "./service";
import type { LessonEntry } from "./state";

export function readLessons(files: readonly LessonFile[]): {
  readonly lessons: readonly LessonEntry[];
  readonly problems: readonly string[];
} {
  const lessons: LessonEntry[] = [];
  const problems: string[] = [];
  const sorted = files.toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  for (const { folder, lesson: data, text: words, language } of sorted) {
    const file = `${folder}/${language}.md`;
    try {
      const lesson = readLesson(folder, data);
      const text = withClaims(readLessonText(file, words), lesson.claims);
      problems.push(...lessonProblems(lesson, file, text, language));
      // Steps without words cannot be shown.
      if (text.steps.length === lesson.steps.length)
        lessons.push({ lesson, text, language });
    } catch (thrown) {
      if (!(thrown instanceof LessonError)) throw thrown;
      problems.push(thrown.message);
    }
  }
  return { lessons, problems };
}
