/** All lessons: what each is about, how long it takes, and how far the reader is. */
import { counted } from "../../model/shared/format";
import { progressIn, scoreOf, writeProgress } from "../../model/learn/progress";
import type { Progress } from "../../model/learn/progress";
import type { Part } from "../../model/replay/parts";
import { Download } from "../shared/Download";
import { LessonWords } from "./LessonWords";

export interface LessonInfo {
  readonly id: string;
  readonly title: string;
  readonly idea: readonly Part[];
  readonly minutes: number;
  readonly short: boolean;
  readonly steps: number;
  readonly questions: number;
}

export interface LessonListProps {
  readonly lessons: readonly LessonInfo[];
  readonly progress: Progress;
  readonly problems: readonly string[];
  readonly linkTo: (lesson: string, step: number) => string;
  readonly onForget: () => void;
}

export function LessonList(props: LessonListProps) {
  const { lessons, progress, problems, linkTo, onForget } = props;
  const short = lessons.filter((lesson) => lesson.short);
  const hasProgress = Object.keys(progress).length > 0;
  return (
    <div className="learn">
      <header className="learn-head">
        <h2>Learn</h2>
        <p>
          Each lesson is one idea, one machine and a few questions. The
          simulator answers them, in the same pictures as in Replay.
          {short.length > 0
            ? ` The short course is ${counted(short.length, "lesson")}, ${minutesOf(short)} minutes.`
            : ""}
        </p>
      </header>
      {problems.length > 0 ? (
        <ul className="learn-problems" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      {lessons.length === 0 ? (
        <p>This version has no lessons.</p>
      ) : (
        <ol className="learn-list">
          {lessons.map((lesson) => (
            <Row
              key={lesson.id}
              lesson={lesson}
              progress={progress}
              linkTo={linkTo}
            />
          ))}
        </ol>
      )}
      <footer className="learn-foot">
        <p>
          Your answers stay in this browser.
          {hasProgress ? "" : " So far there are none."}
        </p>
        {hasProgress ? (
          <>
            <Download
              label="JSON"
              what="my answers"
              file="pagewalk-answers.json"
              make={() => new Blob([writeProgress(progress)])}
            />
            <button type="button" className="btn quiet" onClick={onForget}>
              Delete my answers
            </button>
          </>
        ) : null}
      </footer>
    </div>
  );
}

function minutesOf(lessons: readonly LessonInfo[]): number {
  return lessons.reduce((sum, { minutes }) => sum + minutes, 0);
}

interface RowProps {
  readonly lesson: LessonInfo;
  readonly progress: Progress;
  readonly linkTo: LessonListProps["linkTo"];
}

function Row({ lesson, progress, linkTo }: RowProps) {
  const { id, title, idea, minutes, short, steps, questions } = lesson;
  const known = progressIn(progress, id);
  const seen = known.seen.filter((step) => step <= steps).length;
  const { answered, right } = scoreOf(known);
  const next = seen === 0 || seen === steps ? 1 : (known.seen.at(-1) ?? 1);
  return (
    <li>
      <div>
        <h3>
          <a href={linkTo(id, next)}>{title}</a>
          {short ? <span className="learn-short">short course</span> : null}
        </h3>
        <p className="learn-idea">
          <LessonWords words={idea} />
        </p>
      </div>
      <div className="learn-facts">
        <p>
          <span>{counted(minutes, "minute")}</span>
          <span>{counted(questions, "question")}</span>
          <span>
            {seen === 0
              ? "not begun"
              : seen === steps
                ? "read"
                : `step ${next} of ${steps}`}
            {answered === 0 ? "" : `, ${right} of ${answered} right at once`}
          </span>
        </p>
        <progress
          aria-label={`Steps of “${title}” that you have seen`}
          max={steps}
          value={seen}
        />
      </div>
    </li>
  );
}
