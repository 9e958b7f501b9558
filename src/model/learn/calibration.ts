/** How sure a reader was, and how often that was right at the first try. */
import { SURE, scoreOf } from "./progress";
import type { LessonProgress, Sure } from "./progress";

export interface SureCount {
  readonly sure: Sure;
  readonly right: number;
  readonly n: number;
}

export interface Calibration {
  readonly counts: readonly SureCount[];
  readonly verdict: "few" | "over" | "fairly" | "under" | "fits";
}

/** Fewer answers with “How sure?” say nothing. */
const ENOUGH = 5;
/** Fewer answers of one kind say nothing about it. */
const SOME = 3;
/** A reader who is certain should be right this often, and one who guesses should not. */
const CERTAIN = 0.8;
const GUESS = 0.6;
/** A reader who is fairly sure should be right this often. */
const FAIRLY = 0.5;

export function calibrationOf(lessons: readonly LessonProgress[]): Calibration {
  const counts = SURE.map((sure): SureCount => {
    const answers = lessons
      .flatMap((lesson) => Object.values(lesson.answers))
      .filter((answer) => answer.sure === sure);
    const { answered, right } = scoreOf({ seen: [], answers });
    return { sure, right, n: answered };
  });
  return { counts, verdict: verdictOf(counts) };
}

function verdictOf(counts: readonly SureCount[]): Calibration["verdict"] {
  const total = counts.reduce((sum, { n }) => sum + n, 0);
  const share = (sure: Sure) => {
    const found = counts.find((each) => each.sure === sure);
    return found && found.n >= SOME ? found.right / found.n : null;
  };
  const [guess, fairly, certain] = SURE.map(share);
  if (total < ENOUGH) return "few";
  if (isBelow(certain, CERTAIN)) return "over";
  if (isBelow(fairly, FAIRLY)) return "fairly";
  return guess != null && guess > GUESS ? "under" : "fits";
}

const isBelow = (share: number | null | undefined, least: number) =>
  share != null && share < least;
