/** An exercise in the form of a lesson, so that its trace and its pictures are those of lessons. */
import type { Asked } from "../../engine/generated/Asked";
import type { ExerciseView } from "../../engine/generated/ExerciseView";
import type { StepView } from "../../engine/generated/StepView";
import type { Lesson, LessonPart, LessonStep } from "../learn/lesson";
import { readTrace } from "../learn/trace";
import { arrayOf } from "./kinds";

const SHOWN: readonly LessonPart[] = [
  "address",
  "walk",
  "tlb",
  "totals",
  "timeline",
];

/** The parts of the picture that would answer a question. */
const TELLING: Readonly<Record<string, readonly LessonPart[]>> = {
  outcome: ["walk"],
  number: ["walk"],
  // The cut of the address tells the size.
  "page-size": ["address", "walk"],
};

/** The parts of the whole run that would answer a question; no question of its exercise shows them. */
const TELLING_OF_RUN: Readonly<Record<string, readonly LessonPart[]>> = {
  outcome: ["totals", "timeline"],
  number: ["totals", "timeline"],
  "page-size": ["totals"],
  references: ["totals"],
  cycles: ["totals"],
};

/** Throws a `LessonError` if the exercise names a program that does not exist. */
export function exerciseLesson(view: ExerciseView): Lesson {
  const { title, cpu, cores, trace, locked } = view;
  return {
    folder: title,
    id: view.digest,
    minutes: 0,
    short: false,
    cpu,
    ...(cores !== undefined && cores !== "one" && { cores }),
    // The value came as JSON, so the cast is safe.
    trace: readTrace(title, trace),
    // Other questions about the trace need no new run, so parts that they hide are there.
    steps: [{ at: 0, before: true, show: unlocked(locked) }],
    claims: new Map(),
  };
}

type Hiding = Pick<ExerciseView, "locked" | "questions">;

const unlocked = (locked: readonly LessonPart[]) =>
  SHOWN.filter((part) => !locked.includes(part));

/** The parts that the exercise shows, after an answer, too: one question must not answer the next. */
export function shownParts({
  locked,
  questions,
}: Hiding): readonly LessonPart[] {
  const telling = questions.flatMap(
    ({ ask }) => TELLING_OF_RUN[ask.kind] ?? [],
  );
  return unlocked([...locked, ...telling]);
}

/** The step that shows a question: everything that it needs, and nothing that answers it. */
export function questionStep(
  { posed }: Asked,
  { choices, ...hiding }: Hiding & Pick<ExerciseView, "choices">,
  step: StepView | undefined,
): LessonStep {
  const { ask, at } = posed;
  const array = arrayOf(ask) ?? posed.array;
  const walk = step && referencesBefore(ask, step);
  return {
    at,
    before: true,
    ...(walk !== undefined && { walk }),
    show: shownParts(hiding).filter(
      (part) => !TELLING[ask.kind]?.includes(part),
    ),
    ...(array !== undefined && { array }),
    ask: { ask, ...(choices !== undefined && { choices }) },
  };
}

/** The references that the picture of a walk shows before the answer; `undefined` = none of the walk. */
function referencesBefore(
  ask: Asked["posed"]["ask"],
  { translations: [first] }: StepView,
): number | undefined {
  if (!first || first.nested || first.refs === 0) return undefined;
  // The last entry has the frame.
  if (ask.kind === "physical") return first.refs;
  if (ask.kind !== "entry-address") return undefined;
  return first.levels.filter(
    ({ level, state }) => level > ask.level && state === "read",
  ).length;
}
