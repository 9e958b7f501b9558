/** What is asked of a trace beside its replay, and what the answers are. */
import type { BehindCurve } from "./generated/BehindCurve";
import type { Curve } from "./generated/Curve";
import type { HugeAdvice } from "./generated/HugeAdvice";
import type { MissSplit } from "./generated/MissSplit";
import type { Question } from "./generated/Question";
import type { Surface } from "./generated/Surface";
import type { WorkingSet } from "./generated/WorkingSet";

/** By what is asked. */
export interface Answers {
  readonly curve: Curve;
  readonly surface: Surface;
  readonly behind: BehindCurve;
  readonly split: MissSplit;
  readonly "working-set": WorkingSet;
  readonly "huge-pages": HugeAdvice;
}

export type AnswerTo<Q extends Question> = Answers[Q["what"]];
