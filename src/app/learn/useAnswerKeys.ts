import { useEffect } from "react";
import type { LearnActions } from "../../state/learn/bound";
import type { QuestionState } from "../../state/learn/state";
import { isTaken } from "../shared/useArrows";

/** 1 to 9 choose an answer, and Enter runs it, except where a control uses the key. */
export function useAnswerKeys(
  question: QuestionState | undefined,
  { give, answer }: Pick<LearnActions, "give" | "answer">,
): void {
  useEffect(() => {
    if (!question?.posed || question.done) return;
    const { graded } = question;
    const { choices } = question.posed;
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isRun =
        key === "Enter" && isInGrid(target) && !event.defaultPrevented;
      if (!isRun && isTaken(event, target, "input:not([type=radio])")) return;
      const choice = /^[1-9]$/.test(key) ? choices[Number(key) - 1] : undefined;
      if (choice !== undefined) give(choice);
      else if (key === "Enter" && !isPressed(target) && !graded) void answer();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [question, give, answer]);
}

/** Returns whether Enter presses the focused element. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a") !== null;
}

/** A grid uses Enter to choose; on the chosen place, it leaves the key to the page. */
function isInGrid(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=grid]") !== null;
}
