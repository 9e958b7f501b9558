/** Keeps what is typed while a dialog loads, for its field. */
import { useEffect } from "react";

let typed = "";

/** Stands in for the dialog until it is there. No key means anything else meanwhile. */
export function TypeAhead() {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey) return;
      if (key.length === 1) typed += key;
      else if (key === "Backspace") typed = typed.slice(0, -1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", keep, true);
    return () => {
      document.removeEventListener("keydown", keep, true);
      // The dialog takes the text before this, unless it failed to load or has no field.
      queueMicrotask(() => (typed = ""));
    };
  }, []);
  return null;
}

/** Gives the kept text to the field of the dialog that has the focus, with the events of typing. */
export function useTypedAhead(): void {
  useEffect(() => {
    const field = document.activeElement;
    if (!typed || !(field instanceof HTMLInputElement)) return;
    const how = { bubbles: true, inputType: "insertText" };
    field.dispatchEvent(new InputEvent("beforeinput", how));
    field.setRangeText(typed, 0, 0, "end");
    field.dispatchEvent(new InputEvent("input", how));
  }, []);
}
