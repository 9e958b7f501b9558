/** The exercise on the screen: that of a student, or the answers of a class. */
import type { Asked } from "../../engine/generated/Asked";
import type { Report } from "../../engine/generated/Report";
import type { ExerciseView } from "../../engine/generated/ExerciseView";
import type { StudentAnswer } from "../../model/exercise/progress";
import type { Message } from "../../model/exercise/question";
import type { LessonStep } from "../../model/learn/lesson";
import type { Scene } from "../../model/learn/picture";
import type { WholeRun } from "../../model/learn/whole";
import type { Permalink } from "../../model/permalink/permalink";
import type { QuestionState } from "../learn/state";

/** Why an exercise is not open: a text of the catalogue. */
export interface ExerciseProblem {
  readonly key: Message["key"];
  /** The simulator's words. */
  readonly why?: string;
}

interface Opened {
  /** The exercise as a link has it; empty if it is a file, or missing. */
  readonly link: Pick<Permalink, "exercise" | "grade">;
  /** The exercise as JSON. */
  readonly text: string | undefined;
  readonly view: ExerciseView | undefined;
  readonly problem: ExerciseProblem | undefined;
}

/** A question on the screen, with what its picture needs. */
export interface ShownQuestion {
  readonly at: number;
  readonly step: LessonStep;
  readonly scene: Scene;
  readonly whole: WholeRun;
  /** Whether the access had run when the student left the question. */
  readonly answered: boolean;
}

export interface StudentState extends Opened {
  readonly role: "student";
  readonly stage: "start" | "opening" | "asking" | "end";
  readonly name: string;
  /** The number of answers of this name that the browser keeps. */
  readonly kept: number;
  readonly asked: readonly Asked[];
  /** The question, from 0. */
  readonly at: number;
  /** One for each question. */
  readonly answers: readonly StudentAnswer[];
  /** Of this question, or of the one before while it loads. */
  readonly shown: ShownQuestion | undefined;
  readonly question: QuestionState | undefined;
  readonly line: string | undefined;
}

export interface AnswerFile {
  readonly name: string;
  readonly text: string;
}

export interface TeacherState extends Opened {
  readonly role: "teacher";
  /** Answers that came before the exercise. */
  readonly early: readonly AnswerFile[];
  readonly report: Report | undefined;
  /** Lines that are being graded. */
  readonly progress:
    { readonly done: number; readonly total: number } | undefined;
  /** Why no answers can be graded, as a sentence. */
  readonly failure: string | undefined;
}

export type ExerciseState = StudentState | TeacherState;

const NOTHING = { text: undefined, view: undefined, problem: undefined };

export const NO_STUDENT: StudentState = {
  ...NOTHING,
  role: "student",
  link: { exercise: "" },
  stage: "start",
  name: "",
  kept: 0,
  asked: [],
  at: 0,
  answers: [],
  shown: undefined,
  question: undefined,
  line: undefined,
};

export const NO_TEACHER: TeacherState = {
  ...NOTHING,
  role: "teacher",
  link: { grade: "" },
  early: [],
  report: undefined,
  progress: undefined,
  failure: undefined,
};
