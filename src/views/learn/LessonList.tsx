/** All lessons: what each is about, how long it takes, and how far the reader is. */
import type { ReactNode } from "react";
import { useRef } from "react";
import { resumeAt } from "../../model/learn/course";
import { progressIn, scoreOf } from "../../model/learn/progress";
import type { Progress } from "../../model/learn/progress";
import type { SayLearn } from "../../model/learn/question";
import type { Language } from "../../model/texts/language";
import type { Part } from "../../model/replay/parts";
import { paragraph } from "../../model/texts/messages";
import { Download } from "../shared/Download";
import { CalibrationTable } from "./CalibrationTable";
import { LessonWords } from "./LessonWords";

export interface LessonInfo {
  /** The language of its words. */
  readonly language: Language;
  readonly id: string;
  readonly title: string;
  readonly idea: readonly Part[];
  readonly minutes: number;
  readonly short: boolean;
  readonly steps: number;
  readonly questions: number;
}

export interface LessonListProps {
  readonly say: SayLearn;
  readonly lessons: readonly LessonInfo[];
  readonly progress: Progress;
  readonly problems: readonly string[];
  readonly linkTo: (lesson: string, step: number) => string;
  readonly onForget: () => void;
  /** Further ways from here. */
  readonly more?: ReactNode;
  /** The progress as the text of a file. */
  readonly onSave: () => Promise<string>;
  readonly onLoad: (file: File) => void;
}

export function LessonList(props: LessonListProps) {
  const { say, lessons, progress, problems, linkTo } = props;
  const { onForget, onSave, onLoad } = props;
  const short = lessons.filter((lesson) => lesson.short);
  const resumed = resumeAt(lessons, progress);
  const hasProgress = Object.keys(progress).length > 0;
  return (
    <div className="learn translated">
      <header className="learn-head">
        <h2>{say("title")}</h2>
        <p>
          <LessonWords
            words={paragraph(
              say("about"),
              ...(short.length > 0
                ? [
                    say("shortCourse", {
                      n: short.length,
                      minutes: minutesOf(short),
                    }),
                  ]
                : []),
            )}
          />
        </p>
      </header>
      {resumed ? (
        <p className="learn-resume">
          <a
            className="btn primary"
            href={linkTo(resumed.lesson, resumed.step)}
          >
            {say("resume", {
              at: lessons.findIndex(({ id }) => id === resumed.lesson) + 1,
              step: resumed.step,
            })}
          </a>
        </p>
      ) : null}
      <CalibrationTable say={say} lessons={Object.values(progress)} folded />
      {problems.length > 0 ? (
        <ul className="learn-problems" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      {lessons.length === 0 ? (
        <p>{say("noLessons")}</p>
      ) : (
        <ol className="learn-list">
          {lessons.map((lesson) => (
            <Row
              key={lesson.id}
              say={say}
              lesson={lesson}
              progress={progress}
              linkTo={linkTo}
            />
          ))}
        </ol>
      )}
      <footer className="learn-foot">
        <p>
          <LessonWords
            words={paragraph(
              say("kept"),
              ...(hasProgress ? [] : [say("keptNone")]),
            )}
          />
        </p>
        {hasProgress ? (
          <Download
            label={say("save")}
            what={{ save: say("save"), failed: say("notSaved") }}
            file="pagewalk-progress.json"
            make={async () => new Blob([await onSave()])}
          />
        ) : null}
        <LoadButton label={say("load")} onLoad={onLoad} />
        {hasProgress ? (
          <button type="button" className="btn quiet" onClick={onForget}>
            {say("forget")}
          </button>
        ) : null}
        {props.more}
      </footer>
    </div>
  );
}

function minutesOf(lessons: readonly LessonInfo[]): number {
  return lessons.reduce((sum, { minutes }) => sum + minutes, 0);
}

interface LoadButtonProps {
  readonly label: string;
  readonly onLoad: (file: File) => void;
}

function LoadButton({ label, onLoad }: LoadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="btn quiet"
        onClick={() => input.current?.click()}
      >
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        data-testid="progress-file"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onLoad(file);
          target.value = "";
        }}
      />
    </>
  );
}

interface RowProps {
  readonly say: SayLearn;
  readonly lesson: LessonInfo;
  readonly progress: Progress;
  readonly linkTo: LessonListProps["linkTo"];
}

function Row({ say, lesson, progress, linkTo }: RowProps) {
  const { id, language, title, idea, minutes, short, steps, questions } =
    lesson;
  const known = progressIn(progress, id);
  const seen = known.seen.filter((step) => step <= steps).length;
  const { answered, right } = scoreOf(known);
  const next = seen === 0 || seen === steps ? 1 : (known.seen.at(-1) ?? 1);
  const where =
    seen === 0
      ? say("notBegun")
      : seen === steps
        ? say("read")
        : say("step", { at: next, n: steps });
  return (
    <li>
      <div>
        <h3>
          <a lang={language} href={linkTo(id, next)}>
            {title}
          </a>
          {short ? <span className="learn-short">{say("short")}</span> : null}
        </h3>
        <p className="learn-idea" lang={language}>
          <LessonWords words={idea} />
        </p>
      </div>
      <div className="learn-facts">
        <p>
          <span>{say("minutes", { n: minutes })}</span>
          <span>{say("questions", { n: questions })}</span>
          <span>
            {answered === 0
              ? where
              : say("whereAndScore", {
                  where,
                  score: say("score", { right, answered }),
                })}
          </span>
        </p>
        <progress
          aria-label={say("seen", { title })}
          max={steps}
          value={seen}
        />
      </div>
    </li>
  );
}
