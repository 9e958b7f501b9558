/** Reads text as a trace if the user pastes it outside of fields. */
import { useEffect } from "react";

const TYPED_INTO = "input, textarea, select, [contenteditable]";

export function usePaste(onText: (text: string) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      if (!(target instanceof Element) || event.defaultPrevented) return;
      if (target.closest(`${TYPED_INTO}, [role="dialog"]`)) return;
      const text = clipboardData?.getData("text/plain") ?? "";
      if (text.trim() === "") return;
      event.preventDefault();
      onText(text);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [onText]);
}
