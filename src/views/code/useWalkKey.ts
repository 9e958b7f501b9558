/** F8 and Shift+F8 go to the next and the previous walk, wherever the focus is. The editor has its own F8. */
import { useEffect, useEffectEvent } from "react";
import type { ProgramSlot } from "../../model/code/code";

/** With two programs, the key acts on the one whose code or pictures have the focus; otherwise on the first. */
export function useWalkKey(
  slot: ProgramSlot,
  onWalk: (direction: 1 | -1) => void,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "F8" || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (slotOf(event.target) !== slot) return;
    event.preventDefault();
    onWalk(event.shiftKey ? -1 : 1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function slotOf(target: EventTarget | null): ProgramSlot {
  const part =
    target instanceof Element
      ? target.closest<HTMLElement>("[data-slot]")
      : null;
  return part?.dataset["slot"] === "1" ? 1 : 0;
}
