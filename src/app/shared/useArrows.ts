import { useEffect } from "react";

/** → and ← go on and back, except where a picture or a menu uses them. */
export function useArrows(
  onNext: (() => void) | undefined,
  onBack: (() => void) | undefined,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (isTaken(event, target, isEmpty(target) ? "select" : "input")) return;
      const act = { ArrowRight: onNext, ArrowLeft: onBack }[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onNext, onBack]);
}

/** Nothing in an empty field uses the key. */
function isEmpty(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement &&
    target.type === "text" &&
    target.value === ""
  );
}

/** Returns whether another part uses the key; `inputs` selects the fields that do. */
export function isTaken(
  event: KeyboardEvent,
  target: EventTarget | null,
  inputs: string,
): boolean {
  const { defaultPrevented, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey || shiftKey) return true;
  return (
    target instanceof Element &&
    target.closest(`${inputs}, ${USES_KEYS}`) !== null
  );
}

const USES_KEYS =
  "textarea, select, [role=dialog], [role=listbox], [role=tablist], [role=grid], [role=application]";
