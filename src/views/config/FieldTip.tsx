/**
 * Explains where the value of a field comes from, when the pointer moves over it or the keyboard focuses it,
 * and never while the user types. Browsers report a text field's focus as visible in both cases, so this code
 * detects the keyboard itself.
 */
import { useRef } from "react";
import type { ReactNode } from "react";
import { useTip } from "../shared/useTip";

export interface FieldTipProps {
  /** Null shows no tip. */
  readonly content: ReactNode;
  readonly children: ReactNode;
}

export function FieldTip({ content, children }: FieldTipProps) {
  const { show, hide, dismiss, open, tip } = useTip();
  const isPressed = useRef(false);
  const showIn = (wrapper: Element) => {
    if (content !== null) show(target(wrapper), content);
  };
  return (
    <>
      <span
        className="tip-anchor"
        // The wrapper only handles events that bubble up from the control inside.
        role="presentation"
        // Waits for a pointer move, so a drawer that opens under a resting pointer shows no tip.
        onPointerMove={({ currentTarget, pointerType }) => {
          const isEdited = currentTarget.contains(document.activeElement);
          if (pointerType === "touch" || isEdited || open) return;
          showIn(currentTarget);
        }}
        onPointerLeave={hide}
        onPointerDown={() => {
          isPressed.current = true;
          dismiss();
        }}
        onPointerUp={() => {
          isPressed.current = false;
        }}
        onFocus={({ currentTarget, target: control }) => {
          if (!isPressed.current && control.matches(":focus-visible"))
            showIn(currentTarget);
        }}
        onInput={dismiss}
        onBlur={() => {
          isPressed.current = false;
          hide();
        }}
      >
        {children}
      </span>
      {tip}
    </>
  );
}

/** The wrapper has no box of its own (`display: contents`), so the tip is placed at its first child. */
function target(wrapper: Element): Element {
  return wrapper.firstElementChild ?? wrapper;
}
