/** What a reader has done in the lessons, as the browser stores it and as a file. */

export const SURE = ["guess", "fairly", "certain"] as const;

export type Sure = (typeof SURE)[number];

export interface Answered {
  /** The last answer. */
  readonly given: string;
  readonly right: boolean;
  readonly tries: number;
  /** The mistake of the first wrong answer, if it was recognised. */
  readonly mistake?: string;
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
  const { mistake = before?.mistake, ...rest } = answer;
  const next: Answered = {
    ...rest,
    tries: (before?.tries ?? 0) + 1,
    ...(mistake !== undefined && { mistake }),
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

export function writeProgress(lessons: Progress): string {
  return JSON.stringify(
    { pagewalk: "progress", version: VERSION, lessons },
    null,
    2,
  );
}

/** Reads the text of `writeProgress`; what cannot be read is dropped. */
export function readProgress(text: string): Progress {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return NO_PROGRESS;
  }
  if (!isRecord(data) || data["version"] !== VERSION) return NO_PROGRESS;
  const { lessons } = data;
  if (!isRecord(lessons)) return NO_PROGRESS;
  return Object.fromEntries(
    Object.entries(lessons).map(([id, lesson]) => [id, readLesson(lesson)]),
  );
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
