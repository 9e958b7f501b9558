/** The screen of lessons: which one is open, what its picture shows, and the question of its step. */
import type { Graded } from "../../engine/generated/Graded";
import type { Posed } from "../../engine/generated/Posed";
import type { RunReport } from "../../engine/generated/RunReport";
import type { CourseLesson } from "../../model/learn/course";
import type { Lesson } from "../../model/learn/lesson";
import type { Scene } from "../../model/learn/picture";
import type { Progress, Sure } from "../../model/learn/progress";
import type { LessonText } from "../../model/learn/text";
import type { Language } from "../../model/texts/language";
import type { WholeRun } from "../../model/learn/whole";

export interface LessonEntry {
  readonly lesson: Lesson;
  readonly text: LessonText;
  /** The language of the text. */
  readonly language: Language;
}

/** A step as a link names it, from 1. */
export interface LessonPlace {
  readonly lesson: string;
  readonly step: number;
}

/** What the engine answered for a step. */
export interface ShownStep extends LessonPlace {
  readonly scene: Scene;
  readonly whole: WholeRun;
  /** Whether the access had run when the reader left the step. */
  readonly answered: boolean;
}

export interface QuestionState {
  /** Missing while it is posed. */
  readonly posed?: Posed;
  /** Why it cannot be posed or graded. */
  readonly problem?: string | undefined;
  readonly given: string;
  readonly sure?: Sure;
  /** The number of hints that are shown. */
  readonly hints: number;
  /** The verdict on the last answer. */
  readonly graded?: Graded | undefined;
  /** Whether the access has run: after a right answer, or when the reader asked for the answer. */
  readonly done: boolean;
}

/** A lesson to be printed, with the answers of the simulator. */
export interface Sheet {
  readonly lesson: string;
  readonly whole: WholeRun;
  readonly steps: readonly SheetStep[];
}

export interface SheetStep {
  readonly scene: Scene;
  /** Missing if the step has no question. */
  readonly asked?: { readonly posed: Posed; readonly answer: string };
}

/** The programs of a lesson, run at one size. */
export interface ProgramRuns {
  readonly lesson: string;
  /** Missing = the size in their code. */
  readonly n: number | undefined;
  /** Empty while they run. */
  readonly runs: readonly {
    readonly name: string;
    readonly report: RunReport;
  }[];
  readonly problem?: string;
}

export interface LearnState {
  /** The language in which the lessons were asked for. */
  readonly language: Language;
  readonly lessons: readonly LessonEntry[];
  /** Lessons that cannot be read, one sentence each. */
  readonly problems: readonly string[];
  /** Missing = the list of lessons. */
  readonly at: LessonPlace | undefined;
  /** The id in a link that no lesson has. */
  readonly unknown: string | undefined;
  /** The name of a file that holds no progress. */
  readonly badFile: string | undefined;
  /** The picture of this step, or of the one before while it loads. */
  readonly shown: ShownStep | undefined;
  /** Why the picture is missing. */
  readonly problem: string | undefined;
  /** The question of the step, if it has one. */
  readonly question: QuestionState | undefined;
  readonly progress: Progress;
  /** What is being printed. */
  readonly sheet: Sheet | undefined;
  /** Missing until the reader runs the programs. */
  readonly programs: ProgramRuns | undefined;
}

export function entryOf(
  { lessons }: Pick<LearnState, "lessons">,
  id: string | undefined,
): LessonEntry | undefined {
  return lessons.find(({ lesson }) => lesson.id === id);
}

/** A lesson as a course counts it. */
export function courseLesson({ lesson }: LessonEntry): CourseLesson {
  const { id, short, steps } = lesson;
  return { id, short, steps: steps.length };
}
