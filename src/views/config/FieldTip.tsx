/**
 * Where the value of a field comes from: told when the pointer is moved over it or the keyboard comes to
 * it, and never while something is typed. The keyboard is told apart from the pointer here, as a browser
 * calls a text field's focus visible in both cases.
 */
import { useRef } from "react";
import type { ReactNode } from "react";
import { useTip } from "../shared/useTip";

export interface FieldTipProps {
  readonly content: ReactNode;
  readonly children: ReactNode;
}

export function FieldTip({ content, children }: FieldTipProps) {
  const { show, hide, dismiss, open, tip } = useTip();
  const isPressed = useRef(false);
  return (
    <>
      <span
        className="tip-anchor"
        // It only listens to what bubbles up from the control inside.
        role="presentation"
        // A move, not an entry: a drawer that opens under a resting pointer explains nothing.
        onPointerMove={({ currentTarget, pointerType }) => {
          const isEdited = currentTarget.contains(document.activeElement);
          if (pointerType === "touch" || isEdited || open) return;
          show(target(currentTarget), content);
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
            show(target(currentTarget), content);
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

/** The wrapper has no box of its own (`display: contents`). */
function target(wrapper: Element): Element {
  return wrapper.firstElementChild ?? wrapper;
}
