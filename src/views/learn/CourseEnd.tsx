/** At the end of a lesson: which lesson comes next, and in which course. */
import type { CoursePlace } from "../../model/learn/course";
import type { SayLearn } from "../../model/learn/question";
import type { Language } from "../../model/texts/language";

export interface CourseEndProps {
  readonly say: SayLearn;
  readonly lessons: readonly {
    readonly id: string;
    readonly title: string;
    readonly language: Language;
  }[];
  /** The lesson that ends. */
  readonly id: string;
  readonly course: CoursePlace;
  readonly linkTo: (lesson: string) => string;
  /** The address of an exercise. */
  readonly exercise: string;
}

export function CourseEnd(props: CourseEndProps) {
  const { say, lessons, id, course, linkTo, exercise } = props;
  const own = lessons.findIndex((lesson) => lesson.id === id);
  const after = lessons[own + 1];
  const isOver = course.next === undefined;
  const named = [
    lessons.find((lesson) => lesson.id === course.next),
    // All lessons have another order than the short course.
    after?.id === course.next ? undefined : after,
  ].filter((lesson) => lesson !== undefined);
  return (
    <section className="course-end" aria-label={say("comesNext")}>
      {isOver ? (
        <p>{say(course.short ? "shortDone" : "allDone")}</p>
      ) : (
        <h3>{say("comesNext")}</h3>
      )}
      <ul>
        {named.map((lesson) => (
          <li key={lesson.id}>
            <a href={linkTo(lesson.id)} lang={lesson.language}>
              {lesson.title}
            </a>{" "}
            {lesson.id === course.next && course.short
              ? say("shortAt", { ...course.short, at: course.short.at + 1 })
              : say("lessonOf", {
                  at: lessons.indexOf(lesson) + 1,
                  n: lessons.length,
                })}
          </li>
        ))}
        {isOver ? (
          <li>
            <a href={exercise}>{say("toExercise")}</a>
          </li>
        ) : null}
      </ul>
    </section>
  );
}
