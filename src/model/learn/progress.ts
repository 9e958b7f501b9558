/** What a reader has done in the lessons, as the browser stores it and as a file. */
import { isRecord } from "../shared/isRecord";

export const SURE = ["guess", "fairly", "certain"] as const;

export type Sure = (typeof SURE)[number];

export interface Answered {
  /** The last answer. */
  readonly given: string;
  readonly right: boolean;
  readonly tries: number;
  /** The mistake of the first wrong answer, if it was recognised. */
  readonly mistake?: string;
  /** How sure the reader was at the first try. */
  readonly sure?: Sure;
}

export interface LessonProgress {
  /** The steps that were shown, from 1. */
  readonly seen: readonly number[];
  /** By step. */
  readonly answers: Readonly<Record<number, Answered>>;
}

/** By lesson. */
export type Progress = Readonly<Record<string, LessonProgress>>;

export const NO_PROGRESS: Progress = {};

const NONE: LessonProgress = { seen: [], answers: {} };

const VERSION = 1;

export function progressIn(progress: Progress, id: string): LessonProgress {
  return progress[id] ?? NONE;
}

export function withSeen(
  progress: Progress,
  id: string,
  step: number,
): Progress {
  const lesson = progressIn(progress, id);
  if (lesson.seen.includes(step)) return progress;
  const seen = [...lesson.seen, step].sort((a, b) => a - b);
  return { ...progress, [id]: { ...lesson, seen } };
}

/** A right answer stays: later tries change nothing. */
export function withAnswer(
  progress: Progress,
  id: string,
  step: number,
  answer: Omit<Answered, "tries">,
): Progress {
  const lesson = progressIn(progress, id);
  const before = lesson.answers[step];
  if (before?.right) return progress;
  const { given, right, mistake = before?.mistake } = answer;
  const { sure } = before ?? answer;
  const next: Answered = {
    given,
    right,
    tries: (before?.tries ?? 0) + 1,
    ...(mistake !== undefined && { mistake }),
    ...(sure && { sure }),
  };
  const answers = { ...lesson.answers, [step]: next };
  return { ...progress, [id]: { ...lesson, answers } };
}

/** The questions of a lesson that were answered, and answered right at the first try. */
export function scoreOf({ answers }: LessonProgress) {
  const all = Object.values(answers);
  return {
    answered: all.length,
    right: all.filter(({ right, tries }) => right && tries === 1).length,
  };
}

/**
 * Writes progress. What an earlier text has and this version does not know stays: other lessons, steps and fields, and
 * a later version.
 */
export function writeProgress(progress: Progress, earlier = ""): string {
  const file = recordIn(earlier);
  const kept = recordOf(file["lessons"]);
  const lessons = Object.entries(progress).map(
    ([id, { seen, answers }]): [string, object] => {
      const lesson = recordOf(kept[id]);
      const others = recordOf(lesson["answers"]);
      const known = Object.entries(answers).map(
        ([step, answer]): [string, object] => [
          step,
          { ...recordOf(others[step]), ...answer },
        ],
      );
      const all: object = { ...others, ...Object.fromEntries(known) };
      return [id, { ...lesson, seen, answers: all }];
    },
  );
  const { version } = file;
  return JSON.stringify(
    {
      ...file,
      pagewalk: "progress",
      version:
        typeof version === "number" ? Math.max(version, VERSION) : VERSION,
      lessons: { ...kept, ...Object.fromEntries(lessons) },
    },
    null,
    2,
  );
}

/** Reads the text of `writeProgress`, also that of a later version; what cannot be read is left out. */
export function readProgress(text: string): Progress {
  return Object.fromEntries(
    Object.entries(recordOf(recordIn(text)["lessons"])).map(([id, lesson]) => [
      id,
      readLesson(lesson),
    ]),
  );
}

/** Returns whether a file holds progress. */
export function isProgress(text: string): boolean {
  const { pagewalk, version, lessons } = recordIn(text);
  return (
    pagewalk === "progress" && typeof version === "number" && isRecord(lessons)
  );
}

/** The steps and answers of both. A right answer wins; otherwise, the first progress does. */
export function mergeProgress(one: Progress, other: Progress): Progress {
  const ids = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...ids].map((id) => {
      const [a, b] = [progressIn(one, id), progressIn(other, id)];
      const answers: Record<number, Answered> = { ...b.answers };
      for (const [step, answer] of Object.entries(a.answers)) {
        const rival = b.answers[Number(step)];
        if (answer.right || !rival?.right) answers[Number(step)] = answer;
      }
      const seen = [...new Set([...a.seen, ...b.seen])].sort((x, y) => x - y);
      return [id, { seen, answers }];
    }),
  );
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function readLesson(value: unknown): LessonProgress {
  if (!isRecord(value)) return NONE;
  const { seen, answers } = value;
  return {
    seen: Array.isArray(seen) ? seen.filter(Number.isSafeInteger) : [],
    answers: isRecord(answers)
      ? Object.fromEntries(
          Object.entries(answers).flatMap(([step, answer]) => {
            const read = readAnswer(answer);
            return read ? [[step, read]] : [];
          }),
        )
      : {},
  };
}

function readAnswer(value: unknown): Answered | undefined {
  if (!isRecord(value)) return undefined;
  const { given, right, tries, mistake, sure } = value;
  if (typeof given !== "string" || typeof tries !== "number") return undefined;
  const known = SURE.find((each) => each === sure);
  return {
    given,
    tries,
    right: right === true,
    ...(typeof mistake === "string" && { mistake }),
    ...(known && { sure: known }),
  };
}
