/** The order of lessons: that of the short course for its lessons, and that of all lessons for the others. */
import { progressIn } from "./progress";
import type { Progress } from "./progress";

export interface CourseLesson {
  readonly id: string;
  /** Whether it belongs to the short course. */
  readonly short: boolean;
  /** The number of its steps. */
  readonly steps: number;
}

export interface CoursePlace {
  /** The place in the short course, from 1, and its length; missing for other lessons. */
  readonly short?: { readonly at: number; readonly n: number };
  /** The next lesson of the course; missing after the last one. */
  readonly next?: string;
}

export function placeIn(
  lessons: readonly CourseLesson[],
  id: string,
): CoursePlace {
  const own = lessons.find((lesson) => lesson.id === id);
  const course = lessons.filter(({ short }) => short || !own?.short);
  const at = course.findIndex((lesson) => lesson.id === id);
  const next = at < 0 ? undefined : course[at + 1]?.id;
  return {
    ...(own?.short && { short: { at: at + 1, n: course.length } }),
    ...(next !== undefined && { next }),
  };
}

/** Where a reader goes on: in the last lesson that is begun, or after the last one that is read. */
export function resumeAt(
  lessons: readonly CourseLesson[],
  progress: Progress,
): { readonly lesson: string; readonly step: number } | undefined {
  const seen = ({ id, steps }: CourseLesson) =>
    progressIn(progress, id).seen.filter((step) => step <= steps);
  const isRead = (lesson: CourseLesson) => seen(lesson).length === lesson.steps;
  const begun = lessons.filter((lesson) => seen(lesson).length > 0);
  const open = begun.findLast((lesson) => !isRead(lesson));
  if (open) return { lesson: open.id, step: seen(open).at(-1) ?? 1 };
  let last = begun.at(-1)?.id;
  while (last !== undefined) {
    const next = placeIn(lessons, last).next;
    const found = lessons.find(({ id }) => id === next);
    if (found && !isRead(found)) return { lesson: found.id, step: 1 };
    last = next;
  }
  return undefined;
}
