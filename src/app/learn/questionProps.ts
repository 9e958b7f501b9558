import type { QuestionState } from "../../state/learn/state";
import type { QuestionBoxProps } from "../../views/learn/QuestionBox";

/** What a reader can do with a question, in a lesson and in an exercise. */
export interface QuestionActions {
  readonly give: (given: string) => void;
  readonly beSure: QuestionBoxProps["onSure"];
  readonly hint: () => void;
  readonly answer: () => Promise<void>;
}

/** The part of a question's box that is its state and its actions; the words are left. */
export function questionProps(
  { given, sure, hints, graded, done, problem }: QuestionState,
  { give, beSure, hint, answer }: QuestionActions,
) {
  return {
    given,
    sure,
    shownHints: hints,
    graded,
    done,
    problem,
    onGive: give,
    onSure: beSure,
    onHint: hint,
    onRun: () => void answer(),
  } satisfies Partial<QuestionBoxProps>;
}

/** Whether the access of the picture has run. While another question loads, the picture of the one before stays. */
export function hasRun(
  question: QuestionState | undefined,
  shown: { readonly answered: boolean },
  isHere: boolean,
): boolean {
  return isHere ? question?.done === true : shown.answered;
}
