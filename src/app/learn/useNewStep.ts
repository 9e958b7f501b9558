import { useEffect, useLayoutEffect, useRef } from "react";
import type { QuestionState } from "../../state/learn/state";

/**
 * A new step starts at its top. A reader who uses the keyboard gets the field or the first choice of its question;
 * Escape leaves it. After the verdict, the focus is on the button that goes on.
 */
export function useNewStep(
  step: string,
  question: Pick<QuestionState, "posed" | "done"> | undefined,
): void {
  const isByKey = useRef(false);
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      isByKey.current = true;
      if (key === "Escape" && isAnswer(target)) target.blur();
    };
    const onPress = () => {
      isByKey.current = false;
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPress);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPress);
    };
  }, []);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    document.querySelector(".lesson-strip")?.scrollTo(0, 0);
  }, [step]);
  const isPosed = question?.posed !== undefined;
  const isDone = question?.done ?? false;
  useEffect(() => {
    if (!isByKey.current || !isPosed) return;
    const { activeElement } = document;
    // The marks of the steps keep it.
    if (activeElement?.closest(".lesson-steps")) return;
    const found = document.querySelector<HTMLElement>(
      isDone
        ? NEXT
        : ".question input:not([type=radio]), .question [type=radio]",
    );
    found?.focus({ preventScroll: true });
  }, [step, isPosed, isDone]);
}

const NEXT = ".lesson-buttons .btn:last-child";

function isAnswer(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement && target.closest(".question input") !== null
  );
}
